// Run time of the genetic path selection by population (Fig. 10 of its paper), on this machine: the searches
// whose steps `multipath-dash experiment genetic` counts. One thread.
// Usage: node --import tsx scripts/bench/genetic.ts [--json] [--trials N]
import os from 'node:os';
import { median } from '../../src/core';
import {
  geneticSelectionConfig,
  selectGenetically,
} from '../../src/experiments/genetic/genetic-selection';
import { searchChoice } from '../../src/experiments/genetic/run';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES } from '../../src/experiments/genetic/switch-graph';
import { readOptions, wrongOption } from '../setup/options.mjs';

const POPULATIONS = [28, 50, 100, 150, 200, 250, 300];

const USAGE = `npm run bench -- genetic [--json] [--trials N]
  --trials N   searches of each population (default 10)
  --json       the rows for machines`;
const values = readOptions(USAGE, {
  json: { type: 'boolean', default: false },
  trials: { type: 'string', default: '10' },
});
const trials = Number(values.trials);
if (!Number.isInteger(trials) || trials < 1) {
  wrongOption(`--trials ${values.trials}: a whole number from 1 is wanted`, USAGE);
}

const rows = TOPOLOGY_NAMES.flatMap((topology) => {
  const search = (populationSize: number, seed: number): { ms: number; evaluations: number } => {
    const choice = searchChoice({ topology, seed });
    const begin = performance.now();
    const { evaluations } = selectGenetically(choice, {
      ...geneticSelectionConfig,
      populationSize,
    });
    return { ms: performance.now() - begin, evaluations };
  };
  // Warm-up: the first runs are compiled.
  for (let seed = 1; seed <= 3; seed += 1) search(100, seed);
  // All populations in each trial: the load of a busy machine falls on all of them.
  const byTrial = Array.from({ length: trials }, (_, index) =>
    POPULATIONS.map((population) => search(population, index + 1)),
  );
  return POPULATIONS.map((population, at) => {
    const runs = byTrial.flatMap((one) => one[at] ?? []);
    const growths = byTrial.map((one) => (one[at]?.ms ?? NaN) / (one[0]?.ms ?? NaN));
    return {
      topology: TOPOLOGY_TITLES[topology],
      population,
      timesTheSmallest: median(growths) ?? 0,
      medianMs: median(runs.map(({ ms }) => ms)) ?? 0,
      maxMs: Math.max(...runs.map(({ ms }) => ms)),
      medianEvaluations: median(runs.map(({ evaluations }) => evaluations)) ?? 0,
    };
  });
});

if (values.json) {
  console.log(JSON.stringify({ cpu: os.cpus()[0]?.model, node: process.version, trials, rows }));
} else {
  console.log(`${os.cpus()[0]?.model}, Node ${process.version}, ${trials} searches each`);
  console.log(
    'topology      population  times the smallest  median ms  most ms  combinations rated',
  );
  for (const row of rows) {
    console.log(
      [
        row.topology.padEnd(12),
        String(row.population).padStart(11),
        row.timesTheSmallest.toFixed(1).padStart(19),
        row.medianMs.toFixed(1).padStart(10),
        row.maxMs.toFixed(1).padStart(8),
        row.medianEvaluations.toFixed(0).padStart(19),
      ].join(' '),
    );
  }
}
