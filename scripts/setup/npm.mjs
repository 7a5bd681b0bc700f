import { existsSync, statSync } from 'node:fs';
import { run, step } from './run.mjs';

/** Installs the locked npm packages if node_modules is absent or older than the lock file. */
export function ensureNodeModules() {
  const marker = 'node_modules/.package-lock.json';
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync('package-lock.json').mtimeMs)
    return;
  step('installing npm packages (npm ci)');
  // No dependency needs its install script (`allowScripts` in package.json); npm before 11 knows only this option.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' },
  });
}
