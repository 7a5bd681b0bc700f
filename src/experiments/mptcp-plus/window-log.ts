import { mean } from '../../core';
import type { Mcc, Scheduler, SenderSubflow } from '../../sim';

type PickArguments = Parameters<Scheduler['pick']>;

/** Interval of the samples, the same as that of the path use decision. */
const PERIOD_NS = 100e6;

export interface WindowSample {
  atNs: number;
  /** Congestion windows by subflow index, in segments. */
  windows: number[];
  ratesBps: number[];
}

/** Records the windows of a sender while data moves, around any scheduler. */
export class WindowLog implements Scheduler {
  readonly name: string;
  readonly samples: WindowSample[] = [];
  readonly #inner: Scheduler;
  #nextNs = 0;

  constructor(inner: Scheduler) {
    this.name = inner.name;
    this.#inner = inner;
  }

  observe(subflows: readonly SenderSubflow[], nowNs: number): void {
    this.#inner.observe?.(subflows, nowNs);
    if (nowNs < this.#nextNs) return;
    this.#nextNs = nowNs + PERIOD_NS;
    const sample: WindowSample = { atNs: nowNs, windows: [], ratesBps: [] };
    for (const { index, cwnd, srttNs, segmentBytes } of subflows) {
      sample.windows[index] = cwnd;
      sample.ratesBps[index] = srttNs > 0 ? (cwnd * segmentBytes * 8e9) / srttNs : 0;
    }
    this.samples.push(sample);
  }

  begin(): void {
    this.#inner.begin?.();
  }

  pick(...given: PickArguments): ReturnType<Scheduler['pick']> {
    return this.#inner.pick(...given);
  }
}

/** The last sample until the end of each of the first seconds; 0 before the first. */
export function eachSecond(
  samples: readonly WindowSample[],
  seconds: number,
  of: (sample: WindowSample) => number | undefined,
): number[] {
  const from = samples[0]?.atNs ?? 0;
  const values: number[] = [];
  let next = 0;
  let last = 0;
  for (let second = 0; second < seconds; second += 1) {
    for (let one = samples[next]; one !== undefined; one = samples[next]) {
      if (one.atNs - from >= (second + 1) * 1e9) break;
      last = Math.round((of(one) ?? 0) * 10) / 10;
      next += 1;
    }
    values.push(last);
  }
  return values;
}

/** Standard deviation over mean. */
export function variation(values: readonly number[]): number {
  const centre = mean(values) ?? 0;
  if (centre === 0) return 0;
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)) ?? 0) / centre;
}

/** Share of acknowledgements and reductions that were smoothed, over all subflows; null without any. */
export function smoothedShares(controls: readonly Mcc[]): {
  smoothedAcks: number | null;
  smoothedReductions: number | null;
} {
  const sum = (of: (mcc: Mcc) => number): number =>
    controls.reduce((total, mcc) => total + of(mcc), 0);
  const acks = sum(({ smoothing }) => smoothing.acks);
  const reductions = sum(({ smoothing }) => smoothing.reductions);
  return {
    smoothedAcks: acks > 0 ? sum(({ smoothing }) => smoothing.smoothedAcks) / acks : null,
    smoothedReductions:
      reductions > 0 ? sum(({ smoothing }) => smoothing.smoothedReductions) / reductions : null,
  };
}
