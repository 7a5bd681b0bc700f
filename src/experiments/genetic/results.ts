import { mean } from '../../core';
import { estimate } from '../../report';
import type { Pair } from '../judge';
import type { Estimate } from '../../report';
import type {
  ClientOutcome,
  GeneticJob,
  GeneticOutcome,
  SearchJob,
  SearchOutcome,
  StreamJob,
} from './jobs';

export interface GeneticResult {
  job: GeneticJob;
  outcome: GeneticOutcome;
}

/** Values of a run that the paper's figures show: means over its clients. */
export const METRICS = {
  bitrate: {
    title: 'Average received bitrate',
    unit: 'kbit/s',
    digits: 0,
    of: ({ bitrateBps }: ClientOutcome) => bitrateBps / 1e3,
  },
  switches: {
    title: 'Quality switches',
    unit: 'a client',
    digits: 1,
    of: ({ switches }: ClientOutcome) => switches,
  },
  outage: {
    title: 'Duration of outages',
    unit: 's',
    digits: 2,
    of: ({ outageMs }: ClientOutcome) => outageMs / 1e3,
  },
} as const;
export type RunMetric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as RunMetric[];

/** Selects runs; absent fields match any value. */
export type RunFilter = Partial<
  Pick<StreamJob, 'topology' | 'clients' | 'approach' | 'scheduler' | 'receiveBufferBytes'>
>;

/** One side of a comparison. Default: the scheduler of the filter. */
type Side = Pick<StreamJob, 'approach'> & Partial<Pick<StreamJob, 'scheduler'>>;

/** One network of a trial: ours, and the reference. */
export interface CellPair {
  seed: number;
  pair: Pair;
}

interface Run {
  job: StreamJob;
  clients: readonly ClientOutcome[];
}

/** The outcomes, with queries. */
export class GeneticResults {
  readonly #runs: Run[] = [];
  readonly searches: { job: SearchJob; outcome: SearchOutcome }[] = [];

  constructor(results: readonly GeneticResult[]) {
    for (const { job, outcome } of results) {
      if (job.kind === 'stream' && outcome.kind === 'stream') {
        this.#runs.push({ job, clients: outcome.clients });
      } else if (job.kind === 'search' && outcome.kind === 'search') {
        this.searches.push({ job, outcome });
      }
    }
  }

  runs(where: RunFilter): Run[] {
    const wanted = Object.entries(where);
    return this.#runs.filter(({ job }) =>
      wanted.every(([key, value]) => job[key as keyof RunFilter] === value),
    );
  }

  /** The mean over trials of the mean over clients. */
  estimate(metric: RunMetric, where: RunFilter): Estimate {
    return estimate(this.runs(where).map((run) => runMean(metric, run)));
  }

  /** The value of each trial. */
  bySeed(metric: RunMetric, where: RunFilter): Map<number, number> {
    return new Map(this.runs(where).map((run) => [run.job.seed, runMean(metric, run)]));
  }

  /** The same for another value of a client. */
  mean(of: (client: ClientOutcome) => number, where: RunFilter): number | null {
    return mean(this.runs(where).flatMap(({ clients }) => clients.map(of))) ?? null;
  }

  /** Both sides in each network of each trial where both are there. */
  compare(metric: RunMetric, where: RunFilter, ours: Side, reference: Side): CellPair[] {
    const others = new Map(
      this.runs({ ...where, ...reference }).map((run) => [networkOf(run), runMean(metric, run)]),
    );
    return this.runs({ ...where, ...ours }).flatMap((run) => {
      const other = others.get(networkOf(run));
      if (other === undefined) return [];
      return [{ seed: run.job.seed, pair: [runMean(metric, run), other] }];
    });
  }
}

/** Names the network, the clients and the trial of a run. */
const networkOf = ({ job }: Run): string =>
  [job.topology, job.clients, job.receiveBufferBytes, job.seed].join(' ');

function runMean(metric: RunMetric, { clients }: Run): number {
  return mean(clients.map(METRICS[metric].of)) ?? 0;
}
