import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { currentRunner, distrust } from './trusted-file';

/**
 * Looks for `relativePath` in the given folders and in every folder above them, in that order.
 * @returns the absolute path, or undefined
 */
export function findUpwards(
  relativePath: string,
  startDirs: readonly string[],
  exists: (path: string) => boolean = existsAndIsOwn,
): string | undefined {
  for (const startDir of startDirs) {
    for (let dir = startDir; ; dir = dirname(dir)) {
      const candidate = join(dir, relativePath);
      if (exists(candidate)) return candidate;
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
  const cwd = process.cwd();
  // A running checkout is trusted already. In any other folder a stranger may have left programs.
  const isOwnCheckout = script?.startsWith(cwd + sep) === true;
  const fromCwd = isOwnCheckout || distrust(cwd) === undefined ? [cwd] : [];
  return [...(script === undefined ? [] : [dirname(script)]), ...fromCwd];
}

function runningScript(): string | undefined {
  const script = process.argv[1];
  return script !== undefined && existsSync(script) ? realpathSync(script) : undefined;
}

/** True if the file exists and belongs to root, to this user, or to the owner of the running program. */
function existsAndIsOwn(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  const script = runningScript();
  const { uid, unmappedUid } = currentRunner();
  const owners = [0, uid, unmappedUid, ...(script === undefined ? [] : [statSync(script).uid])];
  return found !== undefined && owners.includes(found.uid);
}
