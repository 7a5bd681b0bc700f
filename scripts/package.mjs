// Builds a Debian package of the desktop player from what is built and an Electron runtime.
// Usage: node scripts/package.mjs [--out FOLDER] [--fast]   (--fast: little compression, for tests)
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stageTree } from './package/stage.mjs';
import { findElectronRuntime } from './setup/electron.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/packages' },
    fast: { type: 'boolean', default: false },
  },
});

function fail(message) {
  console.error(`package: ${message}`);
  process.exit(1);
}

const runtime = findElectronRuntime();
if (runtime === null) fail('no Electron runtime: run `npm run setup -- --for app` first');
for (const file of ['dist/app/main.cjs', 'native/build/multipath_dash.node']) {
  if (!existsSync(file)) fail(`${file} is missing: run \`npm run build\` first`);
}
mkdirSync(values.out, { recursive: true });
const stage = path.join(values.out, 'stage');
rmSync(stage, { recursive: true, force: true });
const { name, version, arch } = await stageTree(stage, runtime);
const file = path.join(values.out, `${name}_${version}_${arch}.deb`);
const compression = values.fast ? ['-Zgzip', '-z1'] : ['-Zxz'];
const { status, error } = spawnSync(
  'dpkg-deb',
  ['--root-owner-group', ...compression, '--build', stage, file],
  { stdio: ['ignore', 2, 2] },
);
rmSync(stage, { recursive: true, force: true });
if (status !== 0) fail(error ? `dpkg-deb cannot be run: ${error.message}` : 'dpkg-deb failed');
console.log(file);
