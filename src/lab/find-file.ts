import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { trustOf } from './trusted-file';

/**
 * Looks for `relativePath` in the given folders and in every folder above them, in that order. A file that another user
 * could have put there does not count.
 * @returns the absolute path, or undefined
 */
export function findUpwards(
  relativePath: string,
  startDirs: readonly string[],
  usable: (path: string) => string | undefined = usableFile,
): string | undefined {
  for (const startDir of startDirs) {
    for (let dir = startDir; ; dir = dirname(dir)) {
      const found = usable(join(dir, relativePath));
      if (found !== undefined) return found;
      if (dirname(dir) === dir) break;
    }
  }
  return undefined;
}

/**
 * Folders in which the search for the project's own files starts: the running script's, then the working
 * folder.
 */
export function projectStartDirs(): string[] {
  const script = runningScript();
  return [...(script === undefined ? [] : [dirname(script)]), process.cwd()];
}

function runningScript(): string | undefined {
  const script = process.argv[1];
  return script !== undefined && existsSync(script) ? realpathSync(script) : undefined;
}

/** The package of the running script, whose code runs already. */
function runningPackage(): string | undefined {
  const script = runningScript();
  if (script === undefined) return undefined;
  for (let dir = dirname(script); dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, 'package.json'))) return dir;
  }
  return undefined;
}

/** The file without symbolic links, if it exists and no other user could have put it there. */
function usableFile(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const own = runningPackage();
  const { real, problem } = trustOf(file);
  const isOwn = own !== undefined && real.startsWith(own + sep);
  return isOwn || problem === undefined ? real : undefined;
}
