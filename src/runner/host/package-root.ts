import { existsSync } from 'node:fs';
import path from 'node:path';

/** Folder of this package: the nearest above the running bundle with a package.json. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
  }
  return folder;
}
