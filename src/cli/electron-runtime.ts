import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CliError } from './cli-error';

const howToGetElectron =
  'run `npx install-electron` in the checkout, or set ELECTRON_OVERRIDE_DIST_PATH to a folder with an electron binary';

/** Newest first, by number: 45.4.1 is newer than 9.0.0. */
function versionsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder);
  return names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/**
 * The Electron to run: `ELECTRON_OVERRIDE_DIST_PATH`, npm's download in the package or the current folder,
 * the user's cache.
 * @throws CliError when there is none, saying how to get one
 */
export function findElectron(env: NodeJS.ProcessEnv, root: string, cwd: string): string {
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const file = path.join(override, 'electron');
    if (existsSync(file)) return file;
    throw new CliError(`ELECTRON_OVERRIDE_DIST_PATH=${override}: no electron binary in it`);
  }
  const cache = path.join(
    env['XDG_CACHE_HOME'] ?? path.join(env['HOME'] ?? os.homedir(), '.cache'),
    'electron-runtime',
  );
  const folders = [
    path.join(root, 'node_modules/electron/dist'),
    path.join(cwd, 'node_modules/electron/dist'),
    ...versionsIn(cache).map((version) => path.join(cache, version)),
  ];
  const found = folders
    .map((folder) => path.join(folder, 'electron'))
    .find((file) => existsSync(file));
  if (found === undefined) throw new CliError(`no Electron runtime found: ${howToGetElectron}`);
  return found;
}
