// Runs the benchmarks: `npm run bench [-- native|link|link-kernel|path-control|chunks|sim|brain|genetic|ranges|
// ranges-failures|ranges-cost|ranges-servers|ranges-walks|player [ARGS]]`; without a name all but link-kernel, which
// downloads a kernel, and ranges-walks, which takes an hour.
import { spawnSync } from 'node:child_process';

const node = process.execPath;
const inSandbox = (script) => [
  ...[node, 'bin/multipath-dash.mjs', 'sandbox', '--'],
  ...[node, '--import', 'tsx', `scripts/bench/${script}`],
];
const benchmarks = {
  native: [node, 'scripts/bench/native.mjs'],
  link: [node, 'scripts/bench/link.mjs'],
  'link-kernel': [node, 'scripts/bench/link-kernel.mjs'],
  'path-control': [node, 'scripts/bench/path-control.mjs'],
  chunks: [node, '--import', 'tsx', 'scripts/bench/chunks.ts'],
  sim: [node, '--expose-gc', '--import', 'tsx', 'scripts/bench/sim.ts'],
  brain: [node, '--import', 'tsx', 'scripts/bench/brain.ts'],
  genetic: [node, '--import', 'tsx', 'scripts/bench/genetic.ts'],
  ranges: inSandbox('ranges/main.ts'),
  'ranges-failures': inSandbox('ranges/failures.ts'),
  'ranges-cost': inSandbox('ranges/cost.ts'),
  'ranges-servers': inSandbox('ranges/servers.ts'),
  'ranges-walks': [node, '--import', 'tsx', 'scripts/bench/ranges/walks.ts'],
  player: inSandbox('player.ts'),
};
const ONLY_BY_NAME = new Set(['link-kernel', 'ranges-walks']);
const [name, ...args] = process.argv.slice(2);
if (name === '--help' || (name !== undefined && !(name in benchmarks))) {
  console.log(`npm run bench [-- ${Object.keys(benchmarks).join('|')} [--json ...]]`);
  process.exit(name === '--help' ? 0 : 2);
}
spawnSync('make', ['-s', '-C', 'native', 'tools'], { stdio: ['ignore', 2, 2] });
// The demo stream needs the network, which the sandbox lacks.
if (name === undefined || name === 'player') {
  spawnSync(node, ['bin/multipath-dash.mjs', 'demo', '--prepare'], { stdio: ['ignore', 2, 2] });
}
for (const [key, command] of Object.entries(benchmarks)) {
  if (name === undefined ? ONLY_BY_NAME.has(key) : name !== key) continue;
  process.stderr.write(`== ${key}\n`);
  const { status } = spawnSync(command[0], [...command.slice(1), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
