// Runs the benchmarks: `npm run bench [-- native|link|link-kernel|path-control|sim|brain|genetic|player [ARGS]]`; without a name all
// but link-kernel, which fetches a kernel.
import { spawnSync } from 'node:child_process';

const node = process.execPath;
const benchmarks = {
  native: [node, 'scripts/bench/native.mjs'],
  link: [node, 'scripts/bench/link.mjs'],
  'link-kernel': [node, 'scripts/bench/link-kernel.mjs'],
  'path-control': [node, 'scripts/bench/path-control.mjs'],
  sim: [node, '--expose-gc', '--import', 'tsx', 'scripts/bench/sim.ts'],
  brain: [node, '--import', 'tsx', 'scripts/bench/brain.ts'],
  genetic: [node, '--import', 'tsx', 'scripts/bench/genetic.ts'],
  player: [
    node,
    'bin/multipath-dash.mjs',
    'sandbox',
    '--',
    node,
    '--import',
    'tsx',
    'scripts/bench/player.ts',
  ],
};
const [name, ...args] = process.argv.slice(2);
if (name === '--help' || (name !== undefined && !(name in benchmarks))) {
  console.log(`npm run bench [-- ${Object.keys(benchmarks).join('|')} [--json ...]]`);
  process.exit(name === '--help' ? 0 : 2);
}
spawnSync('make', ['-s', '-C', 'native', 'tools'], { stdio: ['ignore', 2, 2] });
// The demo stream comes from the network, which the sandbox does not have.
if (name === undefined || name === 'player') {
  spawnSync(node, ['bin/multipath-dash.mjs', 'demo', '--prepare'], { stdio: ['ignore', 2, 2] });
}
for (const [key, command] of Object.entries(benchmarks)) {
  if (name === undefined ? key === 'link-kernel' : name !== key) continue;
  process.stderr.write(`== ${key}\n`);
  const { status } = spawnSync(command[0], [...command.slice(1), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
