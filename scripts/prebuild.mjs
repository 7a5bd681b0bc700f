// Puts stripped addons into prebuilds/<platform>-<arch>/, where an installed package looks first: this machine's, and
// arm64's where its cross compiler is installed.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { checkAddon } from './package/check-addon.mjs';
import { readOptions } from './setup/options.mjs';
import { fail, hasProgram, run, step } from './setup/run.mjs';

const root = path.resolve(import.meta.dirname, '..');
const addon = 'multipath_dash.node';
/** Triplets of Debian's cross compilers, by Node's name of the architecture. */
const triplets = { arm64: 'aarch64-linux-gnu', x64: 'x86_64-linux-gnu' };

const USAGE = `node scripts/prebuild.mjs [--arch ARCH] [--out FOLDER]

  --arch     ${Object.keys(triplets).join(' or ')}; default all whose compiler is installed
  --out      default prebuilds`;
const values = readOptions(USAGE, {
  arch: { type: 'string' },
  out: { type: 'string', default: 'prebuilds' },
});
if (values.arch !== undefined && triplets[values.arch] === undefined) {
  fail(`--arch ${values.arch}: expected ${Object.keys(triplets).join(' or ')}`);
}

for (const [arch, triplet] of Object.entries(triplets)) {
  if (values.arch !== undefined && arch !== values.arch) continue;
  const isOwn = arch === process.arch;
  const tools = isOwn ? { CXX: 'g++', strip: 'strip' } : cross(triplet);
  if (!hasProgram(tools.CXX)) {
    const missing = `no addon for ${arch}: ${tools.CXX} is not installed (apt-get install g++-${triplet})`;
    if (values.arch === undefined) step(missing);
    else fail(missing);
    continue;
  }
  const built = path.join(root, 'native', isOwn ? 'build' : `build/${arch}`);
  run('make', ['-s', '-C', 'native', 'addon', `CXX=${tools.CXX}`, `out=${built}`], { cwd: root });
  const folder = path.resolve(root, values.out, `linux-${arch}`);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, addon);
  copyFileSync(path.join(built, addon), file);
  run(tools.strip, ['--strip-unneeded', file]);
  try {
    checkAddon(file, arch);
  } catch (error) {
    fail(error.message);
  }
}

function cross(triplet) {
  return { CXX: `${triplet}-g++`, strip: `${triplet}-strip` };
}
