import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, step } from './run.mjs';

const stampFile = 'dist/.inputs';

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* files(name);
    else if (!entry.name.endsWith('.test.ts')) yield name;
  }
}

/** Hash of all inputs of the bundles. */
function inputsHash() {
  const hash = createHash('sha256');
  const names = ['package-lock.json', 'package.json', 'webpack.config.mjs', ...files('src')].sort();
  for (const name of names) hash.update(name).update('\0').update(readFileSync(name));
  return hash.digest('hex');
}

/** Compiles the native parts (make decides which are stale). */
export function buildNative() {
  run('make', ['-s', '-C', 'native', '-j2', 'all']);
}

/** Bundles the command line, the page, the app and the SDK. */
export function buildBundles() {
  run(process.execPath, ['node_modules/webpack-cli/bin/cli.js', '--config', 'webpack.config.mjs']);
  writeFileSync(stampFile, inputsHash());
}

/** Builds all parts that are older than their sources. */
export function ensureBuild() {
  if (!existsSync('native/build/multipath_dash.node')) step('building the native addon');
  buildNative();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputsHash()) return;
  step('bundling');
  buildBundles();
}
