// Prepares a fresh clone for playback: system packages, npm packages, build. Only missing parts are
// installed, each step is named before it runs, and a second call is quick.
// Usage: node scripts/setup.mjs [--for build|demo|demo-app|lab|app|e2e|test|nightly] [--help]
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureAptPackages } from './setup/apt.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureElectronRuntime } from './setup/electron.mjs';
import { ensureNodeModules } from './setup/npm.mjs';
import { ensurePackager } from './setup/packager.mjs';
import { fail, run, step } from './setup/run.mjs';

/** Each purpose, and what is ready afterwards. */
const purposes = {
  build: 'the command line and the SDK are built',
  demo: '`npm run demo` plays in Chromium (the default)',
  'demo-app': '`npm run demo -- --player electron` plays in the desktop app',
  lab: 'scenarios run, background traffic included',
  app: '`npm run app` starts the desktop app',
  e2e: '`npm run e2e` runs',
  test: '`npm test` runs',
  nightly: '`npm test -- --profile nightly` runs',
};

/** @returns the options; ends the set-up for a wrong one */
function readOptions() {
  try {
    return parseArgs({
      options: {
        for: { type: 'string', default: 'demo' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    return fail(`${error.message.split('. ')[0]} (see --help)`);
  }
}

const values = readOptions();
if (values.help) {
  const lines = Object.entries(purposes).map(([name, text]) => `  ${name.padEnd(10)}${text}`);
  console.log(`Usage: node scripts/setup.mjs [--for PURPOSE]

Installs what is missing (system packages with apt, as root or through sudo; npm packages from the
lock file), builds the addon, the link emulator and the bundles. Says what it installs.

Purposes:
${lines.join('\n')}`);
  process.exit(0);
}
if (!Object.hasOwn(purposes, values.for)) {
  fail(`--for ${values.for}: expected one of ${Object.keys(purposes).join(', ')}`);
}
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old: multipath-dash needs Node 20.19 or newer`);
}
if (process.platform !== 'linux') fail('multipath-dash needs Linux (MPTCP, network namespaces)');
// Its parts name files from the checkout's root.
process.chdir(path.dirname(import.meta.dirname));

ensureAptPackages(values.for);
ensureNodeModules();
ensureBuild();
const playsInBrowsers = ['e2e', 'test', 'nightly'].includes(values.for);
const playsInApp = ['app', 'demo-app'].includes(values.for);
if (playsInBrowsers || playsInApp) {
  const runtime = ensureElectronRuntime();
  if (runtime === null && playsInApp) {
    fail(
      'no Electron runtime: `npx install-electron` downloads one, or set ELECTRON_OVERRIDE_DIST_PATH to a folder with an electron binary',
    );
  }
}
if (playsInBrowsers) {
  // Once; the tests themselves run without a network.
  run(process.execPath, ['bin/multipath-dash.mjs', 'demo', '--prepare']);
  ensurePackager();
}
step('ready');
