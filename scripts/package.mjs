// Builds a Debian package, or an AppImage, of the desktop player from what is built and an Electron runtime.
// Usage: node scripts/package.mjs [--out FOLDER] [--fast]   (--fast: little compression, for tests)
//        node scripts/package.mjs --appimage RUNTIME       (AppImage's type 2 runtime, a file)
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildAppImage, readRuntime } from './package/appimage.mjs';
import { stageTree } from './package/stage.mjs';
import { findElectronRuntime } from './setup/electron.mjs';
import { readOptions } from './setup/options.mjs';

const USAGE = `node scripts/package.mjs [--out FOLDER] [--fast] [--appimage RUNTIME]

  --out      default dist/packages
  --fast     little compression, for tests
  --appimage builds an AppImage instead, with this file as its type 2 runtime`;
const values = readOptions(USAGE, {
  out: { type: 'string', default: 'dist/packages' },
  fast: { type: 'boolean', default: false },
  appimage: { type: 'string' },
});

function fail(message) {
  console.error(`package: ${message}`);
  process.exit(1);
}

// The package's folders have these modes wherever it is installed.
process.umask(0o022);
const runtime = findElectronRuntime();
if (runtime === null) fail('no Electron runtime: run `npm run setup -- --for app` first');
for (const file of ['dist/app/main.cjs', 'native/build/multipath_dash.node']) {
  if (!existsSync(file)) fail(`${file} is missing: run \`npm run build\` first`);
}

try {
  const image = values.appimage === undefined ? undefined : readRuntime(values.appimage);
  mkdirSync(values.out, { recursive: true });
  const stage = path.join(values.out, 'stage');
  rmSync(stage, { recursive: true, force: true });
  const { name, version, arch } = await stageTree(stage, runtime);
  const base = path.join(values.out, `${name}_${version}_${arch}`);
  const file = `${base}.${image === undefined ? 'deb' : 'AppImage'}`;
  if (image === undefined) buildDeb(stage, file);
  else buildAppImage(stage, image, file, values);
  rmSync(stage, { recursive: true, force: true });
  console.log(file);
} catch (error) {
  fail(error.message);
}

function buildDeb(stage, file) {
  const compression = values.fast ? ['-Zgzip', '-z1'] : ['-Zxz'];
  const { status, error } = spawnSync(
    'dpkg-deb',
    ['--root-owner-group', ...compression, '--build', stage, file],
    { stdio: ['ignore', 2, 2] },
  );
  if (status !== 0)
    throw new Error(error ? `dpkg-deb cannot be run: ${error.message}` : 'dpkg-deb failed');
}
