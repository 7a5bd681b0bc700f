import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file completely or not at all, so that its presence means that it is complete. This needs two calls.
 * write-file-atomic would also wait for the disk. A resumed run writes the record again, so that wait has no use.
 * A symbolic link of that name is replaced, not followed: others may be able to write the folder.
 * @throws Error of fs
 */
export function writeWhole(file: string, content: string | Uint8Array, mode = 0o666): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    writeFileSync(part, content, { flag: 'wx', mode });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
