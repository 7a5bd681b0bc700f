#!/usr/bin/env node
// Benchmarks the native addon against spawning `ss`, on real MPTCP connections in a sandbox of its own.
// Usage: node scripts/bench/native.mjs [--json] [--rounds N]     (needs root or unprivileged user namespaces)
import { cpus, release } from 'node:os';

import { openConnections } from './native-connections.mjs';
import { measureCollector, measureSampler, measureSnapshot, measureSs } from './native-measure.mjs';
import {
  PATHS,
  enterSandbox,
  layOutNetwork,
  limitSubflows,
  startServer,
} from './native-sandbox.mjs';
import { readOptions, wrongOption } from '../setup/options.mjs';

/** Goal: CPU time of one snapshot. */
const SCENARIOS = [
  { connections: 1, subflows: PATHS, goalUs: 20 },
  { connections: 1000, subflows: 1, goalUs: 5000 },
  { connections: 1000, subflows: 2, goalUs: undefined },
];

const USAGE = `npm run bench -- native [--json] [--rounds N]
  --rounds N   of each measurement, 20 to 10000 (default 200)
  --json       the rows for machines`;
const options = readOptions(USAGE, {
  json: { type: 'boolean' },
  rounds: { type: 'string', default: '200' },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 20 || rounds > 10_000) {
  wrongOption('--rounds must be a whole number from 20 to 10000', USAGE);
}
enterSandbox();
layOutNetwork();
const server = await startServer();

const results = [];
for (const scenario of SCENARIOS) {
  limitSubflows(scenario.subflows - 1);
  const close = await openConnections(scenario.connections, scenario.subflows);
  const collector = measureCollector(rounds, 0);
  const spawned = [measureSs('-Mni', 40), measureSs('-tni', 40)];
  const rows = [
    { name: 'collector, back to back', goalUs: scenario.goalUs, ...collector },
    { name: 'collector, every 100 ms', ...measureCollector(Math.min(rounds, 50), 100_000) },
    ...(await measureSampler(Math.min(rounds, 50))),
    ...measureSnapshot(Math.min(rounds, 100)),
    ...spawned,
  ];
  results.push({
    ...scenario,
    rows,
    ratios: Object.fromEntries(spawned.map((ss) => [ss.name, ss.medianUs / collector.medianUs])),
  });
  await close();
}
server.kill();

const machine = { kernel: release(), cpu: cpus()[0].model, node: process.version, rounds };
if (options.json) {
  process.stdout.write(`${JSON.stringify({ machine, scenarios: results }, undefined, 2)}\n`);
} else {
  print(machine, results);
}

function print({ kernel, cpu, node }, scenarios) {
  console.log(`Linux ${kernel}, ${cpu}, Node ${node}; CPU microseconds unless it says wall`);
  for (const { connections, subflows, rows, ratios } of scenarios) {
    console.log(`\n${connections} connection(s) x ${subflows} subflow(s)`);
    for (const { name, medianUs, p90Us, goalUs } of rows) {
      const tail = p90Us === undefined ? '' : `  p90 ${p90Us.toFixed(1)}`;
      const verdict = medianUs < goalUs ? 'met' : 'MISSED';
      const goal = goalUs === undefined ? '' : `  goal ${goalUs}: ${verdict}`;
      console.log(`  ${name.padEnd(34)} ${medianUs.toFixed(1).padStart(10)}${tail}${goal}`);
    }
    for (const [name, ratio] of Object.entries(ratios)) {
      console.log(`  ${name}: ${ratio.toFixed(0)} times the collector`);
    }
  }
}
