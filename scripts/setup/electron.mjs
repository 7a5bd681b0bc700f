import { existsSync, readdirSync, statSync } from 'node:fs';
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

/**
 * Folder of a usable Electron runtime, or null. It looks in this order: ELECTRON_OVERRIDE_DIST_PATH, npm's
 * own download, the user's cache.
 */
export function findElectronRuntime() {
  const cached = existsSync(cache) ? readdirSync(cache).sort(newestFirst) : [];
  return firstWithBinary([
    ...(process.env.ELECTRON_OVERRIDE_DIST_PATH ? [process.env.ELECTRON_OVERRIDE_DIST_PATH] : []),
    path.resolve('node_modules/electron/dist'),
    ...cached.map((version) => path.join(cache, version)),
  ]);
}

const writableByOthers = 0o022;

/** Another user could have put a script there, or could change it. */
function whyNotRun(script) {
  for (const place of [script, path.dirname(script), path.dirname(path.dirname(script))]) {
    const { uid, mode } = statSync(place);
    if (uid !== 0 && uid !== process.getuid()) return `${place} belongs to user ${uid}`;
    if ((mode & writableByOthers) !== 0) return `others can write ${place}`;
  }
  return undefined;
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
  const problem = existsSync(script) ? whyNotRun(script) : undefined;
  if (problem !== undefined) step(`${script} is not run: ${problem}`);
  else if (existsSync(script)) {
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
