import { estimate } from '../../report';
import { explainedBy, type Ablated } from '../explain';
import type { Cell, ExperimentClaim, ExperimentTable } from '../types';
import { GENETIC_ABLATIONS, type GeneticAblation } from './approaches';
import type { GeneticJob, StreamJob } from './jobs';
import { GeneticResults, METRICS, type GeneticResult, type RunMetric } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES } from './switch-graph';

/** Trials of an ablation: the first ones of the experiment. */
const ABLATION_TRIALS = 5;
/** The most crowded networks, where the choice matters most. */
const CLIENTS = 30;

const LABELS: Readonly<Record<GeneticAblation, string>> = {
  'per-path': 'equation 9 per whole path in place of per link',
  'all-paths': 'all paths within 150 ms in place of 200',
  controller: 'a controller that searches for 1.5 s when the first packet comes',
};

const METRIC_NAMES = Object.keys(METRICS) as RunMetric[];

/** The default client with the genetic selection. */
const repeats = (job: GeneticJob): job is StreamJob =>
  job.kind === 'stream' &&
  job.approach === 'genetic' &&
  job.clients === CLIENTS &&
  job.scheduler === 'min-rtt' &&
  job.receiveBufferBytes === 256_000;

/** Runs of the genetic selection once more, with one property of the controller changed. */
export function ablationJobs(jobs: readonly GeneticJob[], firstSeed: number): GeneticJob[] {
  return GENETIC_ABLATIONS.flatMap((ablation) =>
    jobs
      .filter(repeats)
      .filter(({ seed }) => seed < firstSeed + ABLATION_TRIALS)
      .map((job) => ({ ...job, key: `${ablation}/${job.key}`, ablation })),
  );
}

export const isOfSetUp = ({ job }: GeneticResult): boolean =>
  job.kind === 'search' || job.ablation === undefined;

/** Runs with a change, and the same ones without it. */
function besideOf(
  results: readonly GeneticResult[],
  ablation: GeneticAblation,
): { own: GeneticResult[]; same: GeneticResult[] } {
  const own = results.filter(({ job }) => job.kind === 'stream' && job.ablation === ablation);
  const keys = new Set(own.map(({ job }) => job.key.slice(ablation.length + 1)));
  return { own, same: results.filter(({ job }) => keys.has(job.key)) };
}

/** Effect of each change, over pairs of the same seed. */
export function ablationTable(results: readonly GeneticResult[]): ExperimentTable {
  const rows = GENETIC_ABLATIONS.flatMap((ablation) => {
    const { own, same } = besideOf(results, ablation);
    return TOPOLOGY_NAMES.map((topology): Cell[] => [
      LABELS[ablation],
      TOPOLOGY_TITLES[topology],
      ...METRIC_NAMES.map((metric) => {
        const value = (some: readonly GeneticResult[]): Map<number, number> => {
          const runs = new GeneticResults(some).runs({ topology });
          return new Map(
            runs.map(({ job, clients }) => [
              job.seed,
              clients.reduce((sum, one) => sum + METRICS[metric].of(one), 0) / clients.length,
            ]),
          );
        };
        const [changed, before] = [value(own), value(same)];
        return estimate(
          [...changed].flatMap(([seed, one]) => {
            const other = before.get(seed);
            return other === undefined ? [] : [one - other];
          }),
        );
      }),
    ]);
  });
  return {
    title: 'The genetic selection with one property changed',
    columns: [
      { label: 'With' },
      { label: 'Topology' },
      ...METRIC_NAMES.map((metric) => {
        const { title, unit, digits } = METRICS[metric];
        return { label: title, unit, digits };
      }),
    ],
    rows,
    note: `Differences from the set-up over pairs of the same seed, ${CLIENTS} clients.`,
  };
}

/** Adds to each claim that differs the ablations under which it agrees. */
export function explained(
  claims: readonly ExperimentClaim[],
  results: readonly GeneticResult[],
  claimsOf: (results: GeneticResults) => ExperimentClaim[],
): ExperimentClaim[] {
  const base = results.filter(isOfSetUp);
  const ablated = GENETIC_ABLATIONS.flatMap((ablation): Ablated[] => {
    const { own, same } = besideOf(results, ablation);
    if (own.length === 0) return [];
    const seeds = new Set(same.flatMap(({ job }) => job.seed));
    // The other selections on the same networks.
    const others = base.filter(
      ({ job }) =>
        job.kind === 'stream' &&
        job.approach !== 'genetic' &&
        job.clients === CLIENTS &&
        job.scheduler === 'min-rtt' &&
        job.receiveBufferBytes === 256_000 &&
        seeds.has(job.seed),
    );
    const changed = claimsOf(new GeneticResults([...own, ...others]));
    const beside = claimsOf(new GeneticResults([...same, ...others]));
    const isAgainst = ({ paper }: ExperimentClaim): boolean => paper.startsWith('Genetic ');
    return [
      {
        label: LABELS[ablation],
        claims: changed.map((one) => (isAgainst(one) ? one : undefined)),
        beside,
      },
    ];
  });
  return explainedBy(claims, ablated);
}
