import { renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file completely or not at all, so that its presence means that it is whole. Ours, because it takes two
 * calls; write-file-atomic also waits for the disk, which a record that a resumed run writes again does not need.
 * @throws Error of fs
 */
export function writeWhole(file: string, content: string): void {
  writeFileSync(`${file}.part`, content);
  renameSync(`${file}.part`, file);
}
