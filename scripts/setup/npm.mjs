import { existsSync, statSync } from 'node:fs';
import { run, step } from './run.mjs';

/** Installs the locked npm packages when node_modules is older than the lock file or absent. */
export function ensureNodeModules() {
  const marker = 'node_modules/.package-lock.json';
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync('package-lock.json').mtimeMs)
    return;
  step('installing npm packages (npm ci)');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' },
  });
}
