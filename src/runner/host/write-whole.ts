import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file completely or not at all, so that its presence means that it is complete. This needs two calls.
 * write-file-atomic would also wait for the disk. A resumed run writes the record again, so that wait has no use.
 * A symbolic link of that name is replaced, not followed: others may be able to write the folder.
 * @throws Error of fs
 */
export function writeWhole(file: string, content: string | Uint8Array, mode = 0o666): void {
  replaceWhole(file, (part) => writeFileSync(part, content, { flag: 'wx', mode }));
}

/** The same with a writer that opens the file itself. It gets a name that no other file has. */
export function replaceWhole(file: string, write: (part: string) => void): void {
  const part = `${file}.${randomBytes(6).toString('hex')}.part`;
  try {
    write(part);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
