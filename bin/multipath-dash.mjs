#!/usr/bin/env node
// Starts the bundled command line. In a checkout that was never built, builds it first; in an installed package
// without an addon for this machine, builds that where there is a compiler.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bundle = path.join(root, 'dist/cli/multipath-dash.cjs');
const addons = [`prebuilds/${process.platform}-${process.arch}`, 'native/build'].map((folder) =>
  path.join(root, folder, 'multipath_dash.node'),
);

const run = (command, args) =>
  spawnSync(command, args, { cwd: root, stdio: ['inherit', 2, 2] }).status;

if (!existsSync(bundle)) {
  const status = run(process.execPath, [path.join(root, 'scripts/setup.mjs'), '--for', 'build']);
  if (status !== 0) process.exit(status ?? 1);
} else if (!addons.some(existsSync) && !process.env.MULTIPATH_DASH_NATIVE) {
  // Without a compiler, or where the folder is not ours to write, the command says what is missing where it matters.
  const canBuild = spawnSync('g++', ['--version'], { stdio: 'ignore' }).status === 0;
  if (canBuild) run('make', ['-s', '-C', 'native', 'addon']);
}
const load = createRequire(import.meta.url);
try {
  // Threads that start from now on share two arenas of the C library's heap. Each arena keeps what it freed.
  load(process.env.MULTIPATH_DASH_NATIVE ?? addons.find(existsSync) ?? '').limitHeapArenas(2);
} catch {
  // The commands that need the addon report what is wrong with it.
}
load(bundle);
