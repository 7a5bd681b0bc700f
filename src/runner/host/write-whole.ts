import { renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file completely or not at all, so that its presence means that it is complete. This needs two calls.
 * write-file-atomic would also wait for the disk. A resumed run writes the record again, so that wait has no use.
 * @throws Error of fs
 */
export function writeWhole(file: string, content: string): void {
  writeFileSync(`${file}.part`, content);
  renameSync(`${file}.part`, file);
}
