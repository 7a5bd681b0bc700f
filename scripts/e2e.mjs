// Runs the Playwright tests inside a throw-away sandbox of namespaces, so that they can emulate networks
// and leave nothing behind. Arguments go to Playwright. Usage: npm run e2e [-- PLAYWRIGHT-ARGS]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findElectronRuntime } from './setup/electron.mjs';
import { findPackager } from './setup/packager.mjs';

/** Two runs that start at once must not try the same server: it ends one of them. */
const firstServer = () => String(100 + (process.pid % 400));

const runtime = findElectronRuntime();
const packager = findPackager();
const display = process.env.DISPLAY
  ? []
  : ['xvfb-run', '-a', '-n', firstServer(), '-s', '-screen 0 1280x900x24'];
const command = [
  ...display,
  process.execPath,
  'bin/multipath-dash.mjs',
  'sandbox',
  '--',
  process.execPath,
  'node_modules/@playwright/test/cli.js',
  'test',
  ...process.argv.slice(2),
];
if (!existsSync('dist/cli/multipath-dash.cjs')) {
  console.error('nothing built yet: run `npm run setup -- --for e2e` first');
  process.exit(1);
}
const { status } = spawnSync(command[0], command.slice(1), {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    ...(runtime ? { ELECTRON_OVERRIDE_DIST_PATH: runtime } : {}),
    ...(packager ? { SHAKA_PACKAGER: packager } : {}),
  },
});
process.exit(status ?? 1);
