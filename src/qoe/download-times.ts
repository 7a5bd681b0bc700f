import { QuantileSketch, type MediaType } from '../core';
import type { SegmentSummary } from './summary-types';

/** Requests end in another order than they start. A player has fewer than this outstanding. */
const MAX_RECENT = 64;

export const percentileShares = Array.from({ length: 21 }, (_, i) => i / 20);

interface Download {
  startMs: number;
  delayMs: number;
}

/** Delay and speed of one media type's segments, in bounded memory. */
export class DownloadTimes {
  readonly #delaysMs = new QuantileSketch();
  readonly #speedsBps = new QuantileSketch();
  #bytes = 0;
  #delaySumMs = 0;
  /** The last downloads by start; those before are in the sum of steps. */
  readonly #recent: Download[] = [];
  #stepSumMs = 0;
  #previous: Download | undefined;

  /** A download that took no time is ignored. */
  add({ startMs, endMs, bytes }: { startMs: number; endMs: number; bytes: number }): void {
    const delayMs = endMs - startMs;
    if (!(delayMs > 0)) return;
    this.#bytes += bytes;
    this.#delaySumMs += delayMs;
    this.#delaysMs.add(delayMs);
    this.#speedsBps.add((bytes * 8000) / delayMs);
    let at = this.#recent.length;
    while (at > 0 && (this.#recent[at - 1]?.startMs ?? 0) > startMs) at -= 1;
    this.#recent.splice(at, 0, { startMs, delayMs });
    if (this.#recent.length <= MAX_RECENT) return;
    const oldest = this.#recent.shift();
    this.#stepSumMs += stepMs(this.#previous, oldest);
    this.#previous = oldest;
  }

  /** Count of the numbers in memory. */
  get size(): number {
    return this.#delaysMs.size + this.#speedsBps.size + 2 * this.#recent.length;
  }

  summary(mediaType: MediaType): SegmentSummary {
    const { count } = this.#delaysMs;
    const [delayMedian, delayP90] = this.#delaysMs.quantiles([0.5, 0.9]);
    const [speedMedian, speedP10] = this.#speedsBps.quantiles([0.5, 0.1]);
    return {
      mediaType,
      count,
      bytes: this.#bytes,
      delayMs: count > 0 ? { median: delayMedian ?? 0, p90: delayP90 ?? 0 } : null,
      speedBps: count > 0 ? { median: speedMedian ?? 0, p10: speedP10 ?? 0 } : null,
      delayPercentilesMs: this.#delaysMs.quantiles(percentileShares),
      speedPercentilesBps: this.#speedsBps.quantiles(percentileShares),
      applicationRttMs: count > 0 ? this.#delaySumMs / count : null,
      applicationJitterMs: count > 1 ? this.#allSteps() / (count - 1) : null,
    };
  }

  #allSteps(): number {
    let sum = this.#stepSumMs;
    let previous = this.#previous;
    for (const one of this.#recent) {
      sum += stepMs(previous, one);
      previous = one;
    }
    return sum;
  }
}

function stepMs(from: Download | undefined, to: Download | undefined): number {
  return from && to ? Math.abs(to.delayMs - from.delayMs) : 0;
}
