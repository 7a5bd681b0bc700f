import { mean } from '../../core';
import { estimate } from '../../report';
import type { Pair } from '../judge';
import type { Estimate } from '../../report';
import type { SchedulerName } from '../../sim';
import type { Approach } from './approaches';
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

/** One side of a comparison: the mean of some approaches, with one scheduler. */
export interface Side {
  approaches: readonly Approach[];
  /** Default: that of the filter. */
  scheduler?: SchedulerName;
}

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

  /** Both sides in each network of each trial where all runs of both are there. */
  compare(metric: RunMetric, where: RunFilter, ours: Side, reference: Side): CellPair[] {
    const others = this.#sideMeans(metric, where, reference);
    return [...this.#sideMeans(metric, where, ours)].flatMap(([key, one]) => {
      const other = others.get(key);
      return other === undefined ? [] : [{ seed: one.seed, pair: [one.mean, other.mean] }];
    });
  }

  /** Mean of a side's approaches, for each network of each trial. */
  #sideMeans(
    metric: RunMetric,
    where: RunFilter,
    { approaches, scheduler }: Side,
  ): Map<string, { seed: number; mean: number }> {
    const cells = new Map<string, { seed: number; values: number[] }>();
    for (const run of this.runs({ ...where, ...(scheduler === undefined ? {} : { scheduler }) })) {
      const { topology, clients, approach, receiveBufferBytes, seed } = run.job;
      if (!approaches.includes(approach)) continue;
      const key = [topology, clients, receiveBufferBytes, seed].join(' ');
      const cell = cells.get(key) ?? { seed, values: [] };
      cell.values.push(runMean(metric, run));
      cells.set(key, cell);
    }
    return new Map(
      [...cells]
        .filter(([, { values }]) => values.length === approaches.length)
        .map(([key, { seed, values }]) => [key, { seed, mean: mean(values) ?? 0 }]),
    );
  }
}

function runMean(metric: RunMetric, { clients }: Run): number {
  return mean(clients.map(METRICS[metric].of)) ?? 0;
}
