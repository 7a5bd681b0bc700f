// Prepares a fresh clone for playback: system packages, npm packages, build. Only missing parts are
// installed, each step is named before it runs, and a second call is quick.
// Usage: node scripts/setup.mjs [--for build|demo|demo-app|lab|app|e2e|test|nightly] [--help]
import { parseArgs } from 'node:util';
import { ensureAptPackages } from './setup/apt.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureElectronRuntime } from './setup/electron.mjs';
import { ensureNodeModules } from './setup/npm.mjs';
import { ensurePackager } from './setup/packager.mjs';
import { fail, run, step } from './setup/run.mjs';

const purposes = ['build', 'demo', 'demo-app', 'lab', 'app', 'e2e', 'test', 'nightly'];
const { values } = parseArgs({
  options: {
    for: { type: 'string', default: 'demo' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node scripts/setup.mjs [--for ${purposes.join('|')}]

Installs what is missing (system packages with apt, as root or through sudo; npm packages from the
lock file), builds the addon, the link emulator and the bundles. Says what it installs.`);
  process.exit(0);
}
if (!purposes.includes(values.for)) {
  fail(`--for ${values.for}: expected one of ${purposes.join(', ')}`);
}
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old: multipath-dash needs Node 20.19 or newer`);
}
if (process.platform !== 'linux') fail('multipath-dash needs Linux (MPTCP, network namespaces)');

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
