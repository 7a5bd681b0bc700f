import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Looks for `relativePath` in the given folders and every folder above them, in that order.
 * @returns the absolute path, or undefined
 */
export function findUpwards(
  relativePath: string,
  startDirs: readonly string[],
  exists: (path: string) => boolean = existsSync,
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

/** Folders from which the project's own files are looked up: the running script's, then the working one. */
export function projectStartDirs(): string[] {
  const script = process.argv[1];
  const dirs = script !== undefined && existsSync(script) ? [dirname(realpathSync(script))] : [];
  return [...dirs, process.cwd()];
}
