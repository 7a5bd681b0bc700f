import { naturalLog } from './natural-log';
import { quantiles } from './statistics';

/**
 * Values kept exactly, 32 kB. Example: 4096, two hours of segments of 2 s. A session below it has the quantiles of
 * `statistics.ts`.
 */
const EXACT_VALUES = 4096;
/** Half the width of a bin, as a share of its values. */
const RELATIVE_ERROR = 0.01;
const LOG_WIDTH = naturalLog((1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR));
/** Magnitudes outside go into the first or the last bin, so that any input needs a bounded number of bins. */
const MIN_MAGNITUDE = 1e-3;
const MAX_MAGNITUDE = 1e15;

interface Bin {
  count: number;
  mean: number;
}

/**
 * Quantiles of a stream of any length in bounded memory. They are exact for the first 4096 values, then within 1 % of the
 * value by logarithmic bins (DDSketch, Masson et al., VLDB 2019, section 2). A bin gives the mean of its values.
 */
export class QuantileSketch {
  #exact: number[] = [];
  #bins: Map<number, Bin> | undefined;
  #count = 0;
  #least = Infinity;
  #greatest = -Infinity;

  /** A value that is not finite is ignored. */
  add(value: number): void {
    if (!Number.isFinite(value)) return;
    this.#count += 1;
    this.#least = Math.min(this.#least, value);
    this.#greatest = Math.max(this.#greatest, value);
    if (this.#bins) addTo(this.#bins, value);
    else this.#exact.push(value);
    if (this.#exact.length < EXACT_VALUES) return;
    this.#bins = new Map();
    for (const one of this.#exact) addTo(this.#bins, one);
    this.#exact = [];
  }

  get count(): number {
    return this.#count;
  }

  /** Numbers that it keeps. */
  get size(): number {
    return this.#exact.length + 3 * (this.#bins?.size ?? 0);
  }

  /** Quantiles 0..1 with linear interpolation between order statistics; empty for no values. */
  quantiles(shares: readonly number[]): number[] {
    if (this.#bins === undefined) return quantiles(this.#exact, shares);
    const sorted = [...this.#bins].sort(([a], [b]) => a - b).map(([, bin]) => bin);
    return shares.map((share) => {
      const position = Math.min(1, Math.max(0, share)) * (this.#count - 1);
      const low = this.#orderStatistic(sorted, Math.floor(position));
      const high = this.#orderStatistic(sorted, Math.ceil(position));
      return low + (high - low) * (position - Math.floor(position));
    });
  }

  #orderStatistic(sorted: readonly Bin[], rank: number): number {
    if (rank <= 0) return this.#least;
    if (rank >= this.#count - 1) return this.#greatest;
    let before = 0;
    for (const { count, mean } of sorted) {
      before += count;
      if (rank < before) return mean;
    }
    return this.#greatest;
  }
}

function addTo(bins: Map<number, Bin>, value: number): void {
  const index = binOf(value);
  const bin = bins.get(index);
  if (bin === undefined) bins.set(index, { count: 1, mean: value });
  else {
    bin.count += 1;
    bin.mean += (value - bin.mean) / bin.count;
  }
}

/** Ascends with the value; 0 holds what is too small to have a bin. */
function binOf(value: number): number {
  const magnitude = Math.min(MAX_MAGNITUDE, Math.abs(value));
  if (magnitude < MIN_MAGNITUDE) return 0;
  return Math.sign(value) * (1 + Math.floor(naturalLog(magnitude / MIN_MAGNITUDE) / LOG_WIDTH));
}
