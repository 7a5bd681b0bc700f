// Puts stripped addons into prebuilds/<platform>-<arch>/, where an installed package looks first: this machine's, and
// arm64's where its cross compiler is installed. Usage: node scripts/prebuild.mjs
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { hasProgram, run, step } from './setup/run.mjs';

const root = path.resolve(import.meta.dirname, '..');
const addon = 'multipath_dash.node';
/** Triplets of Debian's cross compilers, by Node's name of the architecture. */
const triplets = { arm64: 'aarch64-linux-gnu', x64: 'x86_64-linux-gnu' };

for (const [arch, triplet] of Object.entries(triplets)) {
  const isOwn = arch === process.arch;
  const tools = isOwn ? { CXX: 'g++', strip: 'strip' } : cross(triplet);
  if (!hasProgram(tools.CXX)) {
    step(`no addon for ${arch}: ${tools.CXX} is not installed (apt-get install g++-${triplet})`);
    continue;
  }
  const out = path.join(root, 'native', isOwn ? 'build' : `build/${arch}`);
  run('make', ['-s', '-C', 'native', 'addon', `CXX=${tools.CXX}`, `out=${out}`], { cwd: root });
  const folder = path.join(root, 'prebuilds', `linux-${arch}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(path.join(out, addon), path.join(folder, addon));
  run(tools.strip, ['--strip-unneeded', path.join(folder, addon)]);
}

function cross(triplet) {
  return { CXX: `${triplet}-g++`, strip: `${triplet}-strip` };
}
