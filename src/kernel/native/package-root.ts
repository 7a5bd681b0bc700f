import { readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE_NAME = 'multipath-dash';

function isRoot(folder: string): boolean {
  try {
    const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
    return (JSON.parse(text) as { name?: unknown } | null)?.name === PACKAGE_NAME;
  } catch {
    return false;
  }
}

/**
 * Folder of this package, found upwards from `start`: the code may run from its source or from a bundle in
 * dist/. Falls back to `start`, so that later errors name a sensible path.
 */
export function packageRootAbove(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (isRoot(folder)) return folder;
    if (path.dirname(folder) === folder) return start;
  }
}
