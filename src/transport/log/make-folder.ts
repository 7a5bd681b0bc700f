import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../core';

/** Mode of a folder that others may read too, less the process's mask. */
export const SHARED_FOLDER = 0o777;

/**
 * Creates a folder and its missing parents. Node's own recursive `mkdirSync` never returns if a file system
 * answers "no such folder" for a parent that exists, as /proc does.
 * @param mode of the new folders. By default only the owner can access them: logs and reports show what a user watched.
 * @throws the error of `mkdir` or `stat` at the first folder that cannot be created
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const missing: string[] = [];
  let at = path.resolve(folder);
  while (statSync(at, { throwIfNoEntry: false }) === undefined) {
    missing.push(at);
    at = path.dirname(at);
  }
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one, mode);
    } catch (error) {
      // Another process created it meanwhile.
      if (!isSystemError(error, 'EEXIST')) throw error;
    }
  }
}
