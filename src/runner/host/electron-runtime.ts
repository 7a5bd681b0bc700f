import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorText } from '../../core';
import { trustOf } from '../../lab';
import { UserError } from './user-error';

const HOW_TO_GET_ELECTRON =
  'run `npx install-electron` in the checkout, or set ELECTRON_OVERRIDE_DIST_PATH to a folder with an electron binary';

/** Newest first, by number: 45.4.1 is newer than 9.0.0. */
function versionsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder);
  return names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/** The program without symbolic links, which could lead elsewhere by the time it is run; or why it is not run. */
function judged(program: string): { real: string } | { refusal: string } {
  try {
    const { real, problem } = trustOf(program);
    if (problem === undefined) return { real };
    return {
      refusal: `${program} is not run, because another user could have put it there: ${problem}`,
    };
  } catch (error) {
    return { refusal: `${program} is not run (${errorText(error)})` };
  }
}

/** The first of them that may be run. @throws UserError with the reason why the first one may not */
function firstTrusted(programs: readonly string[]): string {
  const all = programs.map(judged);
  const found = all.find((one) => 'real' in one);
  if (found) return found.real;
  const refused = all.find((one) => 'refusal' in one);
  throw new UserError(refused?.refusal ?? `no Electron runtime found: ${HOW_TO_GET_ELECTRON}`);
}

/**
 * Returns the Electron to run: `ELECTRON_OVERRIDE_DIST_PATH`, npm's download in the package or the current
 * folder, the user's cache.
 * @throws UserError if there is none, with the remedy, or if another user could have replaced it
 */
export function findElectron(env: NodeJS.ProcessEnv, root: string, cwd: string): string {
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const file = path.join(override, 'electron');
    if (existsSync(file)) return firstTrusted([file]);
    throw new UserError(`ELECTRON_OVERRIDE_DIST_PATH=${override}: no electron binary in it`);
  }
  const cache = path.join(
    env['XDG_CACHE_HOME'] ?? path.join(env['HOME'] ?? os.homedir(), '.cache'),
    'electron-runtime',
  );
  // This folder belongs to the package, whose code runs already.
  const packaged = path.join(root, 'node_modules/electron/dist/electron');
  if (existsSync(packaged)) return packaged;
  const folders = [
    path.join(cwd, 'node_modules/electron/dist'),
    ...versionsIn(cache).map((version) => path.join(cache, version)),
  ];
  const programs = folders.map((folder) => path.join(folder, 'electron'));
  return firstTrusted(programs.filter((file) => existsSync(file)));
}
