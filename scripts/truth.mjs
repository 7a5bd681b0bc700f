// Compares the simulator with the kernel, ns-3, closed forms and another Node, and rewrites the tables of
// src/sim/README.md. It takes half an hour, mostly real time: leave the machine idle meanwhile.
// Usage: node scripts/truth.mjs [--only kernel,coupled,walks,ns3,forms,engines] [--quick] [--write] [--json FILE] [--node
// RELEASE]
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const USAGE = `node scripts/truth.mjs [--only SECTION,...] [--quick] [--write] [--json FILE] [--node RELEASE]

  --only     of kernel (real MPTCP in the lab), coupled (congestion controls of native/congestion), walks (sessions over paths that fade; kept kernel results), ns3, forms (what can be worked out), engines (two releases of Node)
  --quick    fewer and shorter runs
  --write    puts the tables into src/sim/README.md; coupled also draws windows over time, docs/experiments/figures/windows-*.svg
  --json     writes all figures to a file
  --node     the other release for engines, fetched with npx; default 24, or 20 where this is 24

Ends with 0 when all is within its bounds, 1 when something is not, 2 for a wrong argument, 3 when a section or
a case could not be run (ns-3 is Debian's libns3-dev; the kernel section needs what the lab needs: npm run setup).
`;

if (process.argv.includes('--help')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const main = path.join(import.meta.dirname, 'truth', 'main.ts');
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', main, ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
