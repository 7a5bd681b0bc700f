import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and those above it that are missing. Node's own recursive `mkdirSync` never returns where a
 * file system says "no such folder" of a parent that exists, as /proc does.
 * @throws the error of `mkdir` or `stat` at the first folder that cannot be made
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  let at = path.resolve(folder);
  while (statSync(at, { throwIfNoEntry: false }) === undefined) {
    missing.push(at);
    at = path.dirname(at);
  }
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one);
    } catch (error) {
      // Somebody else made it meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
