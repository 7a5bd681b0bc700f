/** The address among what was dropped; undefined for a file and for other text. */
export function droppedAddress(transfer: DataTransfer): string | undefined {
  if (transfer.files.length > 0) return undefined;
  const lines = `${transfer.getData('text/uri-list')}\n${transfer.getData('text/plain')}`;
  return lines
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => /^https?:\/\/\S+$/.test(line));
}
