import { estimate } from '../../report';
import { explainedBy, type Ablated } from '../explain';
import type { Cell, ExperimentClaim, ExperimentTable } from '../types';
import { APPROACH_TITLES, APPROACHES, GENETIC_ABLATIONS, type GeneticAblation } from './approaches';
import type { GeneticJob, StreamJob } from './jobs';
import { CLIENT_COUNTS } from './link-values';
import { GeneticResults, METRIC_NAMES, METRICS, type GeneticResult } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES } from './switch-graph';

/** Of a difference without a cause. */
const NOT_TRIED = 'None of the changes bears on it.';

/** A change, and the runs that it repeats. */
interface Change {
  label: string;
  /** The first trials of the experiment, so many. */
  trials: number;
  repeats: (job: StreamJob) => boolean;
  changed?: Partial<StreamJob>;
  /** Runs of the same networks that the change leaves as they are, and that may stand beside the changed ones. */
  beside: (job: StreamJob) => boolean;
}

const isMinRtt = ({ scheduler }: StreamJob): boolean => scheduler === 'min-rtt';

/** The most crowded networks, where the choice matters most. */
const isCrowded = ({ approach, clients }: StreamJob): boolean =>
  approach === 'genetic' && clients === 30;

/** The paper's runs without selection, and the genetic ones beside them (section IV-B-1). */
const isBesideUnselected = ({ topology, clients, approach }: StreamJob): boolean =>
  topology === 'compuserve' && clients === 5 && (approach === 'none' || approach === 'genetic');

/** Five clients everywhere, and the network of Figs. 7 to 9. */
const isOfScheduler = ({ topology, clients, approach }: StreamJob): boolean =>
  approach !== 'none' && (clients === 5 || (clients === 30 && topology === 'compuserve'));

const CHANGES: Readonly<Record<GeneticAblation, Change>> = {
  'per-path': {
    label: 'equation 9 per whole path in place of per link',
    trials: 5,
    repeats: isCrowded,
    beside: isMinRtt,
  },
  'all-paths': {
    label: 'all paths within 150 ms in place of 200',
    trials: 5,
    repeats: isCrowded,
    beside: isMinRtt,
  },
  controller: {
    label: 'a controller that searches for 1.5 s when the first packet comes',
    trials: 5,
    repeats: isCrowded,
    beside: isMinRtt,
  },
  'one-place': {
    label: 'all clients at one switch',
    trials: 10,
    repeats: isBesideUnselected,
    beside: () => false,
  },
  'edge-server': {
    label: 'the server at the switch with the fewest links',
    trials: 10,
    repeats: isBesideUnselected,
    beside: () => false,
  },
  mainline: {
    label: 'the scheduler of Linux in place of minRTT',
    trials: 5,
    repeats: isOfScheduler,
    changed: { scheduler: 'mainline' },
    beside: ({ scheduler }) => scheduler === 'daps',
  },
};

/** Runs of the default client once more, with one property changed. */
export function ablationJobs(jobs: readonly GeneticJob[], firstSeed: number): GeneticJob[] {
  return GENETIC_ABLATIONS.flatMap((ablation) => {
    const { trials, repeats, changed } = CHANGES[ablation];
    return jobs
      .filter((job) => job.kind === 'stream')
      .filter(
        ({ scheduler, receiveBufferBytes }) =>
          scheduler === 'min-rtt' && receiveBufferBytes === 256_000,
      )
      .filter((job) => job.seed < firstSeed + trials && repeats(job))
      .map((job) => ({ ...job, key: `${ablation}/${job.key}`, ablation, ...changed }));
  });
}

export const isOfSetUp = ({ job }: GeneticResult): boolean =>
  job.kind === 'search' || job.ablation === undefined;

/** Outcomes with a change, each as that of the run it repeats, and the same runs without it. */
function besideOf(
  results: readonly GeneticResult[],
  ablation: GeneticAblation,
): { own: GeneticResult[]; same: GeneticResult[] } {
  const unchanged = new Map(results.filter(isOfSetUp).map((one) => [one.job.key, one]));
  const pairs = results.flatMap(({ job, outcome }) => {
    if (job.kind !== 'stream' || job.ablation !== ablation) return [];
    const same = unchanged.get(job.key.slice(ablation.length + 1));
    return same === undefined ? [] : [{ same, own: { job: same.job, outcome } }];
  });
  return { own: pairs.map(({ own }) => own), same: pairs.map(({ same }) => same) };
}

/** Effect of each change, over pairs of the same seed. */
export function ablationTable(results: readonly GeneticResult[]): ExperimentTable {
  const rows = GENETIC_ABLATIONS.flatMap((ablation) => {
    const { own, same } = besideOf(results, ablation);
    const [changed, before] = [new GeneticResults(own), new GeneticResults(same)];
    return TOPOLOGY_NAMES.flatMap((topology) =>
      CLIENT_COUNTS.flatMap((clients) =>
        APPROACHES.flatMap((approach): Cell[][] => {
          const where = { topology, clients, approach };
          if (changed.runs(where).length === 0) return [];
          const { label } = CHANGES[ablation];
          return [
            [
              ...[label, TOPOLOGY_TITLES[topology], clients, APPROACH_TITLES[approach]],
              ...METRIC_NAMES.map((metric) => {
                const without = before.bySeed(metric, where);
                const differences = [...changed.bySeed(metric, where)].map(
                  ([seed, one]) => one - (without.get(seed) ?? NaN),
                );
                return estimate(differences);
              }),
            ],
          ];
        }),
      ),
    );
  });
  return {
    title: 'One property changed',
    columns: [
      { label: 'With' },
      { label: 'Topology' },
      { label: 'Clients' },
      { label: 'Approach' },
      ...METRIC_NAMES.map((metric) => {
        const { title, unit, digits } = METRICS[metric];
        return { label: title, unit, digits };
      }),
    ],
    rows,
    note: 'Differences from the set-up over pairs of the same seed.',
  };
}

/** Network, number of clients, receive buffer and trial of a run. */
const cellOf = ({ job }: GeneticResult): string =>
  job.kind === 'search'
    ? ''
    : [job.topology, job.clients, job.receiveBufferBytes, job.seed].join(' ');

/**
 * Adds to each claim that differs what becomes of it with each change, on the cells that the change repeats.
 */
export function explained(
  claims: readonly ExperimentClaim[],
  results: readonly GeneticResult[],
  claimsOf: (results: GeneticResults) => ExperimentClaim[],
): ExperimentClaim[] {
  const base = results.filter(isOfSetUp);
  const ablated = GENETIC_ABLATIONS.flatMap((ablation): Ablated[] => {
    const { label, beside } = CHANGES[ablation];
    const { own, same } = besideOf(results, ablation);
    if (own.length === 0) return [];
    const [cells, repeated] = [new Set(same.map(cellOf)), new Set(same.map(({ job }) => job.key))];
    const others = base.filter(
      (one) =>
        one.job.kind === 'stream' &&
        beside(one.job) &&
        cells.has(cellOf(one)) &&
        !repeated.has(one.job.key),
    );
    const before = claimsOf(new GeneticResults([...same, ...others]));
    const judged = claimsOf(new GeneticResults([...own, ...others])).map((one, index) =>
      one.ours === before[index]?.ours ? undefined : one,
    );
    return [{ label, claims: judged, beside: before }];
  });
  return explainedBy(claims, ablated).map((claim) =>
    claim.agrees === false && claim.why === undefined ? { ...claim, why: NOT_TRIED } : claim,
  );
}
