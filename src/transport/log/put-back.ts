import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../core';
import { makeFolder } from './make-folder';

/** Mode of a file that shows what a user watched: logs, and what is made of them. */
export const OWNER_ONLY = 0o600;
/** Bytes copied at a time. Chosen; no measurement. */
const COPY_BYTES = 1 << 20;

/** Flags for reading and appending; a name that is a symbolic link is refused. */
const EXISTING = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW;

/** Why an open file must not be written. In a folder that others can write, the name may lead to any file. */
function objectionTo(fd: number): string | undefined {
  const { uid, nlink } = fstatSync(fd);
  // Root is trusted, and owns the devices.
  if (uid !== 0 && uid !== process.geteuid?.()) return `it belongs to user ${uid}`;
  return nlink > 1 ? 'it has another name too' : undefined;
}

/**
 * Opens a file for reading and appending. Creates it for its owner only, if it is missing.
 * @throws the system's error; Error if another user could read or choose the file
 */
export function openOwn(file: string): number {
  try {
    return openSync(file, 'ax+', OWNER_ONLY);
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
  let fd: number;
  try {
    fd = openSync(file, EXISTING);
  } catch (error) {
    if (isSystemError(error, 'ELOOP')) throw new Error('it is a symbolic link', { cause: error });
    throw error;
  }
  const objection = objectionTo(fd);
  if (objection === undefined) return fd;
  closeSync(fd);
  throw new Error(objection);
}

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
