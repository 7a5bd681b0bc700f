import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE = 'multipath-dash';

/**
 * The folder of this package: the first one above the running script whose `package.json` has its name. That file must have
 * the script's owner, because the script may lie below a folder such as /tmp, in which another user could put one.
 */
function ownPackage(script: string): string | undefined {
  const { uid } = statSync(script);
  for (let dir = dirname(script); dir !== dirname(dir); dir = dirname(dir)) {
    const file = join(dir, 'package.json');
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found?.isFile() === true && found.uid === uid && nameOf(file) === PACKAGE) return dir;
  }
  return undefined;
}

function nameOf(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name;
  } catch {
    return undefined;
  }
}

/**
 * Finds a program of this package, whose code runs already. No other folder is searched, least of all the working
 * folder: another user may have left programs there, or a link to a shell.
 * @param relativePath such as `native/build/mpd-link`
 * @returns the absolute path; undefined if it is not there
 */
export function findOwnProgram(
  relativePath: string,
  script: string | undefined = process.argv[1],
): string | undefined {
  if (script === undefined || !existsSync(script)) return undefined;
  const folder = ownPackage(realpathSync(script));
  const file = folder === undefined ? undefined : join(folder, relativePath);
  return file !== undefined && existsSync(file) ? file : undefined;
}
