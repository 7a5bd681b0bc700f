/** Names of manifests that name nothing. */
const PLAIN = /^(manifest|stream|index|master|dash|playlist|main)$/i;

/** A title for people from an address or a path: the file's name, or its folder's where the file's is generic. */
export function titleOf(label: string): string {
  const parts = pathOf(label)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/\.(mpd|xml)$/i, ''));
  const speaking = parts.reverse().find((part) => !PLAIN.test(part));
  return speaking ?? hostOf(label) ?? label;
}

function pathOf(label: string): string {
  try {
    return decodeURIComponent(new URL(label).pathname);
  } catch {
    return label;
  }
}

function hostOf(label: string): string | undefined {
  try {
    return new URL(label).host;
  } catch {
    return undefined;
  }
}
