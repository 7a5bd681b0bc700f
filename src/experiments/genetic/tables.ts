import { estimate } from '../../report';
import type { Cell, ExperimentTable } from '../types';
import { APPROACH_TITLES, APPROACHES, POPULATIONS } from './approaches';
import type { ClientCount } from './link-values';
import { BUFFER_BYTES, DEFAULT_CLIENT, CLIENT_SIDE_TOPOLOGY, SCHEDULERS } from './plan';
import type { GeneticResults, RunFilter } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES } from './switch-graph';

export const VALUE_COLUMNS = [
  { label: 'Bitrate', unit: 'kbit/s', digits: 0 },
  { label: 'Switches', digits: 1 },
  { label: 'Outage', unit: 's', digits: 2 },
  { label: 'Subflows', digits: 2 },
];

export function valueCells(results: GeneticResults, where: RunFilter): Cell[] {
  return [
    results.estimate('bitrate', where),
    results.estimate('switches', where),
    results.estimate('outage', where),
    results.mean(({ subflows }) => subflows, where),
  ];
}

/** Figs. 4 to 6 as numbers. */
export function pathTable(
  results: GeneticResults,
  clientCounts: readonly ClientCount[],
): ExperimentTable {
  const rows = TOPOLOGY_NAMES.flatMap((topology) =>
    clientCounts.flatMap((clients) =>
      APPROACHES.flatMap((approach) => {
        const where = { ...DEFAULT_CLIENT, topology, clients, approach };
        if (results.runs(where).length === 0) return [];
        const names = [TOPOLOGY_TITLES[topology], clients, APPROACH_TITLES[approach]];
        return [[...names, ...valueCells(results, where)]];
      }),
    ),
  );
  return {
    title: 'Path selection (Figs. 4 to 6)',
    columns: [{ label: 'Topology' }, { label: 'Clients' }, { label: 'Approach' }, ...VALUE_COLUMNS],
    rows,
    note: 'A value is the mean over the clients of a trial; the interval is over trials.',
  };
}

/** Figs. 7 to 9 as numbers. */
export function clientTable(results: GeneticResults, clients: ClientCount): ExperimentTable {
  const rows = SCHEDULERS.flatMap((scheduler) =>
    BUFFER_BYTES.flatMap((receiveBufferBytes) =>
      APPROACHES.flatMap((approach) => {
        const topology = CLIENT_SIDE_TOPOLOGY;
        const where = { topology, clients, scheduler, receiveBufferBytes, approach };
        if (results.runs(where).length === 0) return [];
        const names = [scheduler, receiveBufferBytes / 1e3, APPROACH_TITLES[approach]];
        return [[...names, ...valueCells(results, where)]];
      }),
    ),
  );
  return {
    title: 'Schedulers and receive buffers (Figs. 7 to 9)',
    columns: [
      { label: 'Scheduler' },
      { label: 'Buffer', unit: 'kB', digits: 0 },
      { label: 'Approach' },
      ...VALUE_COLUMNS,
    ],
    rows,
    note: `${TOPOLOGY_TITLES[CLIENT_SIDE_TOPOLOGY]}, ${clients} clients.`,
  };
}

/** Fig. 10 as numbers. */
export function searchTable(results: GeneticResults): ExperimentTable {
  const keys = [...new Set(results.searches.map(({ job }) => `${job.topology} ${job.population}`))];
  const rows = keys.map((key): Cell[] => {
    const runs = results.searches.filter(({ job }) => `${job.topology} ${job.population}` === key);
    const job = runs[0]?.job;
    return [
      job === undefined ? '' : TOPOLOGY_TITLES[job.topology],
      job?.population ?? null,
      estimate(runs.map(({ outcome }) => outcome.paths)),
      estimate(runs.map(({ outcome }) => outcome.draws)),
      estimate(runs.map(({ outcome }) => outcome.evaluations)),
      estimate(runs.map(({ outcome }) => outcome.fitness)),
    ];
  });
  const own = TOPOLOGY_NAMES.map((name) => `${TOPOLOGY_TITLES[name]} ${POPULATIONS[name]}`).join(
    ', ',
  );
  return {
    title: 'Genetic search (Fig. 10)',
    columns: [
      { label: 'Topology' },
      { label: 'Population' },
      { label: 'Paths', digits: 0 },
      { label: 'Steps', digits: 0 },
      { label: 'Combinations rated', digits: 0 },
      { label: 'Fitness', digits: 3 },
    ],
    rows,
    note: `The paper's populations: ${own}. Thirty generations each. A step is a random number drawn.`,
  };
}
