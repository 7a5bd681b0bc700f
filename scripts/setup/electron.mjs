import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { output, step } from './run.mjs';

const cache = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
  'electron-runtime',
);

const newestFirst = (a, b) => b.localeCompare(a, 'en', { numeric: true });

function firstWithBinary(folders) {
  return folders.find((folder) => existsSync(path.join(folder, 'electron'))) ?? null;
}

/** Folder of a usable Electron runtime, or null. Looks, in this order, at ELECTRON_OVERRIDE_DIST_PATH, npm's own download, the user's cache. */
export function findElectronRuntime() {
  const cached = existsSync(cache) ? readdirSync(cache).sort(newestFirst) : [];
  return firstWithBinary([
    ...(process.env.ELECTRON_OVERRIDE_DIST_PATH ? [process.env.ELECTRON_OVERRIDE_DIST_PATH] : []),
    path.resolve('node_modules/electron/dist'),
    ...cached.map((version) => path.join(cache, version)),
  ]);
}

/**
 * Finds or fetches a runtime. Machines that cannot reach Electron's downloads may have a script that
 * lays one out and prints its folder: ELECTRON_RUNTIME_SCRIPT, or shared/tools/electron-runtime.sh beside the checkout.
 */
export function ensureElectronRuntime() {
  const found = findElectronRuntime();
  if (found !== null) return found;
  const script =
    process.env.ELECTRON_RUNTIME_SCRIPT ?? path.resolve('../shared/tools/electron-runtime.sh');
  if (existsSync(script)) {
    step(`laying out an Electron runtime (${script})`);
    const folder = output('bash', [script], { stdio: ['ignore', 'pipe', 2] });
    if (folder !== null) return firstWithBinary([folder.split('\n').at(-1)]);
  }
  step('downloading Electron (npx install-electron)');
  output(process.execPath, ['node_modules/electron/install.js'], {
    stdio: ['ignore', 'pipe', 2],
    timeout: 300_000,
  });
  const downloaded = findElectronRuntime();
  if (downloaded === null)
    step('no Electron runtime could be had; the browser player works without');
  return downloaded;
}
