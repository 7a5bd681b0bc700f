import { mean } from '../../core';
import { estimate } from '../../report';
import { estimateText } from '../estimate';
import type { Pair } from '../judge';
import type { Estimate } from '../../report';
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

/** Selects runs; absent fields match any value. */
export type RunFilter = Partial<
  Pick<StreamJob, 'topology' | 'clients' | 'approach' | 'scheduler' | 'receiveBufferBytes'>
>;

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

  /** The same for another value of a client. */
  mean(of: (client: ClientOutcome) => number, where: RunFilter): number | null {
    return mean(this.runs(where).flatMap(({ clients }) => clients.map(of))) ?? null;
  }

  /** Paired values of two kinds of runs that differ only in the fields of `one` and `other`. */
  pairs(metric: RunMetric, where: RunFilter, one: RunFilter, other: RunFilter): [number, number][] {
    const others = this.runs({ ...where, ...other });
    return this.runs({ ...where, ...one }).flatMap((run) => {
      const twin = others.find(({ job }) => isTwin(run.job, job, Object.keys(one)));
      return twin === undefined ? [] : [[runMean(metric, run), runMean(metric, twin)]];
    });
  }

  /** {@link pairs} of two approaches. */
  approaches(
    metric: RunMetric,
    where: RunFilter,
    one: Approach,
    other: Approach,
  ): [number, number][] {
    return this.pairs(metric, where, { approach: one }, { approach: other });
  }
}

/** "12 (3 to 21), 6 pairs of runs; kbit/s, the difference". */
export function differenceText(metric: RunMetric, pairs: readonly Pair[]): string {
  const { unit, digits } = METRICS[metric];
  const difference = estimate(pairs.map(([one, other]) => one - other));
  return `${estimateText(difference, digits, 'pairs of runs')}; ${unit}, the difference`;
}

function runMean(metric: RunMetric, { clients }: Run): number {
  return mean(clients.map(METRICS[metric].of)) ?? 0;
}

function isTwin(one: StreamJob, other: StreamJob, apart: readonly string[]): boolean {
  const keys = [
    'topology',
    'clients',
    'approach',
    'scheduler',
    'receiveBufferBytes',
    'seed',
  ] as const;
  return keys.every((key) => apart.includes(key) || one[key] === other[key]);
}
