import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from './make-folder';

/** Logs show what a user watched. */
export const OWNER_ONLY = 0o600;
/** Bytes copied at a time. Chosen; no measurement. */
const COPY_BYTES = 1 << 20;

/**
 * Returns true if the name still refers to the open file: neither it nor its folder was deleted, moved or
 * replaced.
 */
export function isInPlace(fd: number, file: string): boolean {
  const named = statSync(file, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return named?.ino === open.ino && named.dev === open.dev;
}

/**
 * Writes the content of an open file to its name again. Its folder may be gone. Closes the old descriptor.
 * @param fd opened for reading too
 * @returns the new descriptor, open for reading and appending
 * @throws the system's error; EEXIST if another file has the name now
 */
export function putBack(fd: number, file: string): number {
  makeFolder(path.dirname(file));
  const copy = openSync(file, 'ax+', OWNER_ONLY);
  try {
    const buffer = Buffer.alloc(COPY_BYTES);
    for (let at = 0, got = -1; got !== 0; at += got) {
      got = readSync(fd, buffer, 0, buffer.length, at);
      for (let done = 0; done < got;) done += writeSync(copy, buffer, done, got - done);
    }
  } catch (error) {
    closeSync(copy);
    throw error;
  }
  closeSync(fd);
  return copy;
}
