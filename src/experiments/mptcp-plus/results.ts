import { mean } from '../../core';
import { estimate } from '../../report';
import type { Estimate } from '../../report';
import type {
  MptcpPlusJob,
  MptcpPlusKernelJob,
  MptcpPlusOutcome,
  SamplesJob,
  SamplesOutcome,
  SessionSetting,
  SessionOutcome,
  PathPair,
  WindowsJob,
  WindowsOutcome,
} from './jobs';
import { differenceOf, type BySeed } from '../judge';
import type { Variant } from './variants';

export interface MptcpPlusResult {
  job: MptcpPlusJob | MptcpPlusKernelJob;
  outcome: MptcpPlusOutcome;
}

/** Selects sessions; absent fields match any value. */
export type SessionFilter = Partial<SessionSetting>;

/** One number of a session; null if it has none. */
export type Value = (outcome: SessionOutcome) => number | null;

export const bitrateKbps: Value = ({ bitrateBps }) => bitrateBps / 1e3;
export const switches: Value = (outcome) => outcome.switches;
export const outageSeconds: Value = ({ outageMs }) => outageMs / 1e3;
export const qoe: Value = (outcome) => outcome.qoe;
export const slowPercent: Value = ({ slowShare }) => 100 * slowShare;
/** Percentiles are 5 apart: the eleventh is the median. */
export const medianDelaySeconds: Value = ({ delaysMs }) => (delaysMs[10] ?? NaN) / 1e3;
export const medianSpeedKbps: Value = ({ speedsBps }) => (speedsBps[10] ?? NaN) / 1e3;

interface Twin {
  seed: number;
  pair: [number, number];
}

interface Session {
  job: SessionSetting;
  outcome: SessionOutcome;
}

/** The outcomes, with queries. */
export class MptcpPlusResults {
  readonly #sessions: Session[] = [];
  readonly samples: { job: SamplesJob; outcome: SamplesOutcome }[] = [];
  readonly windows: { job: WindowsJob; outcome: WindowsOutcome }[] = [];

  constructor(results: readonly MptcpPlusResult[]) {
    for (const { job, outcome } of results) {
      if (job.kind === 'session' && outcome.kind === 'session') {
        this.#sessions.push({ job, outcome });
      } else if (job.kind === 'samples' && outcome.kind === 'samples') {
        this.samples.push({ job, outcome });
      } else if (job.kind === 'windows' && outcome.kind === 'windows') {
        this.windows.push({ job, outcome });
      }
    }
  }

  sessions(where: SessionFilter): Session[] {
    const wanted = Object.entries(where);
    return this.#sessions.filter(({ job }) =>
      wanted.every(([key, value]) => job[key as keyof SessionFilter] === value),
    );
  }

  /** Estimate over the trials. */
  estimate(value: Value, where: SessionFilter): Estimate {
    return estimate(this.sessions(where).map(({ outcome }) => value(outcome) ?? NaN));
  }

  /**
   * Mean of `one` minus `other`, over pairs of trials with the same seed, and the same paths if both leave
   * them open.
   */
  difference(value: Value, one: SessionFilter, other: SessionFilter): Estimate {
    return differenceOf(this.pairs(value, one, other));
  }

  /** Paired values of two kinds of sessions, as {@link difference} takes them. */
  pairs(value: Value, one: SessionFilter, other: SessionFilter): [number, number][] {
    return this.#twins(value, one, other).map(({ pair }) => pair);
  }

  /** Compares `one` with `other` by `of`, for each seed. Each has one session a seed. */
  compared(
    value: Value,
    one: SessionFilter,
    other: SessionFilter,
    of: (one: number, other: number) => number,
  ): BySeed {
    return new Map(this.#twins(value, one, other).map(({ seed, pair }) => [seed, of(...pair)]));
  }

  #twins(value: Value, one: SessionFilter, other: SessionFilter): Twin[] {
    const twins = this.sessions(other);
    return this.sessions(one).flatMap(({ job, outcome }): Twin[] => {
      const { seed } = job;
      const twin = twins.find(
        (session) =>
          session.job.seed === seed &&
          (one.averageKbps !== undefined || session.job.averageKbps === job.averageKbps) &&
          (one.ratio !== undefined || session.job.ratio === job.ratio),
      );
      const [a, b] = [value(outcome), twin === undefined ? null : value(twin.outcome)];
      return a === null || b === null ? [] : [{ seed, pair: [a, b] }];
    });
  }

  /** A value of the windows of one variant over one pair of paths, by seed. */
  windowValues(
    value: (outcome: WindowsOutcome) => number | null,
    variant: Variant,
    at: PathPair,
  ): BySeed {
    return new Map(
      this.windows.flatMap(({ job, outcome }) => {
        const one = job.variant === variant && isAt(job, at) ? value(outcome) : null;
        return one === null ? [] : [[job.seed, one] as const];
      }),
    );
  }

  /** Percentiles, each the mean over trials. */
  percentiles(of: (outcome: SessionOutcome) => readonly number[], where: SessionFilter): number[] {
    const all = this.sessions(where).map(({ outcome }) => of(outcome));
    return (all[0] ?? []).map((_, index) => mean(all.flatMap((one) => one[index] ?? [])) ?? 0);
  }
}

const isAt = (one: PathPair, { averageKbps, ratio }: PathPair): boolean =>
  one.averageKbps === averageKbps && one.ratio === ratio;

/** Standard deviation of the first `count` samples in kbit/s; NaN if there are fewer. */
export function deviationKbps(samples: readonly number[], count: number): number {
  if (samples.length < count || count < 2) return NaN;
  const first = samples.slice(0, count);
  const centre = mean(first) ?? 0;
  const squares = first.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (count - 1)) / 1e3;
}
