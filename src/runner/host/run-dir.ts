import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorText, isSystemError } from '../../core';
import { makeFolder } from '../../transport';
import { shellWord } from './terminal';
import { UserError } from './user-error';

/** Names the folder of a run to the same command inside the sandbox. */
export const OUT_DIR_VARIABLE = 'MULTIPATH_DASH_RUN_DIR';

/** Default folder of a run. */
export function defaultRunDir(now: Date): string {
  return path.resolve('runs', now.toISOString().replace(/[:.]/g, '-').slice(0, 19));
}

/**
 * Creates the default folder of a run that begins now. Where another run of the same second has it, the name gets a
 * number. A folder that cannot be created is named all the same, and `makeOutFolder` gives the reason.
 */
export function claimRunDir(now: Date): string {
  const wanted = defaultRunDir(now);
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? wanted : `${wanted}-${number}`;
    try {
      makeFolder(path.dirname(folder));
      mkdirSync(folder, 0o700);
      return folder;
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) return folder;
    }
  }
}

/**
 * Creates the folder of a run or of a session.
 * @param mode of a new folder, as of `makeFolder`
 * @throws UserError if it cannot be written
 */
export function makeOutFolder(folder: string, mode?: number): void {
  try {
    makeFolder(folder, mode);
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder');
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = errorText(error);
    throw new UserError(`${folder} cannot be written (${reason}): choose another with --out`);
  }
}

/** The option that goes on with the run of a folder, as a user types it. */
export const resumeOption = (folder: string): string =>
  `--resume ${shellWord(path.relative(process.cwd(), folder) || '.')}`;
