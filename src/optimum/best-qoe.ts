import { FrontBuilder, type Front, type Thinning } from './front';
import type { Volume } from './rate-profile';

/** A film, a capacity and a player's limits. */
export interface OptimumProblem {
  /** By rung, ascending. */
  bitratesBps: readonly number[];
  /** By rung, then by segment: everything that has to be fetched to show it, audio included. */
  segmentBits: readonly (readonly number[])[];
  segmentMs: number;
  /** What a second of stalling costs, in bit/s. */
  topBitrateBps: number;
  volume: Volume;
  /** From when the first segment may be fetched. */
  startMs: number;
  /** When the first frame is on screen; the wait until then costs nothing. */
  playMs: number;
  /** A segment is not fetched before it would fit into so much media ahead of the picture. */
  bufferCapMs: number;
}

export interface OptimumOptions {
  /** Ways that are followed per segment and rung; more is finer and slower. */
  ways: number;
  /** The search ends once no more can be won than so much stalling costs. */
  stallStepMs: number;
  thinning: Thinning;
}

export const DEFAULT_OPTIMUM_OPTIONS: OptimumOptions = {
  ways: 500,
  stallStepMs: 20,
  thinning: 'bound',
};

export interface Optimum {
  /** Linear QoE in Mbit/s, summed over the segments. */
  qoe: number;
  /** How long it stalls in all. */
  stallMs: number;
}

/**
 * The linear QoE (Yin et al., SIGCOMM 2015, section 2.2; see src/qoe) that no player can beat: it knows the future,
 * and the network is a fluid.
 *
 * A way is a sequence of rungs; what it has sent by then, in bits, stands for the time, since the capacity is known.
 * Dynamic programming over segment and last rung keeps every way that is not beaten in both bits and QoE. A stall may
 * as well be taken before the second frame: its cost is the same, and later deadlines harm nobody. So all deadlines
 * move by one sum of stalls, and a branch and bound over that sum finds the best. The buffer's cap is held as if there
 * were no stall, which only loosens it. With `bound` the result is never further below the truth than a `stallStepMs`
 * of stalling costs: where more than `ways` ways
 * meet, those within one of as many bins become one that has the best of each. An error of half a per mille is usual;
 * `real` gives the value of a way that exists, from below.
 */
export function bestQoe(problem: OptimumProblem, options: Partial<OptimumOptions> = {}): Optimum {
  const { ways, stallStepMs, thinning } = { ...DEFAULT_OPTIMUM_OPTIONS, ...options };
  const segments = problem.segmentBits[0]?.length ?? 0;
  if (segments === 0) return { qoe: 0, stallMs: 0 };
  const penalty = problem.topBitrateBps / 1e9;
  const best = { qoe: -Infinity, stallMs: 0 };
  const valueAt = (stallMs: number): number => {
    const quality = bestQuality(problem, stallMs, ways, thinning);
    const qoe = quality - penalty * stallMs;
    if (qoe > best.qoe) Object.assign(best, { qoe, stallMs });
    return quality;
  };
  const enoughMs = leastStall(problem);
  if (enoughMs === Infinity) return { qoe: -Infinity, stallMs: Infinity };
  valueAt(0);
  if (enoughMs > 0) valueAt(enoughMs);
  const most = segments * (Math.max(...problem.bitratesBps) / 1e6);
  if (penalty === 0) return { qoe: valueAt(enoughMs + segments * problem.segmentMs), stallMs: 0 };

  // No stall beyond this pays even if it bought the top rung throughout.
  const endMs = (most - best.qoe) / penalty;
  const open = [{ fromMs: 0, toMs: endMs, qoe: most }];
  for (;;) {
    open.sort((a, b) => a.qoe - b.qoe);
    const next = open.pop();
    if (!next || next.qoe <= best.qoe) return best;
    const { fromMs, toMs } = next;
    if (next.qoe <= best.qoe + penalty * stallStepMs) {
      return { qoe: thinning === 'bound' ? next.qoe : best.qoe, stallMs: best.stallMs };
    }
    const middleMs = (fromMs + toMs) / 2;
    const quality = valueAt(middleMs);
    // In a stretch of stalls: the quality of its end at the cost of its beginning.
    open.push(
      { fromMs, toMs: middleMs, qoe: quality - penalty * fromMs },
      { fromMs: middleMs, toMs, qoe: next.qoe - penalty * (middleMs - fromMs) },
    );
  }
}

/** Bits that may have been sent before segment `i` is fetched, because there was no room for it. */
function openBits(problem: OptimumProblem, segment: number): number {
  const { volume, startMs, playMs, segmentMs, bufferCapMs } = problem;
  // What the film's beginning fills may be fetched before the first frame.
  const fits = (segment + 1) * segmentMs <= bufferCapMs;
  const atMs = fits ? startMs : playMs + (segment + 1) * segmentMs - bufferCapMs;
  return volume.bitsAt(Math.max(startMs, atMs));
}

/** The least sum of stalls with which anything can be shown; Infinity where that is never. */
function leastStall(problem: OptimumProblem): number {
  const { volume, playMs, segmentMs, segmentBits } = problem;
  const segments = segmentBits[0]?.length ?? 0;
  let bits = 0;
  let stallMs = 0;
  for (let i = 0; i < segments; i += 1) {
    const least = Math.min(...segmentBits.map((rung) => rung[i] ?? Infinity));
    bits = Math.max(bits, openBits(problem, i)) + least;
    stallMs = Math.max(stallMs, volume.timeOf(bits) - (playMs + i * segmentMs));
  }
  // A hair more, so that rounding does not refuse what has just been found possible.
  return stallMs > 0 ? stallMs + 1e-3 : 0;
}

/** Sum of bit rates less steps, in Mbit/s, with all deadlines put off by `stallMs`; -Infinity where none can be met. */
function bestQuality(
  problem: OptimumProblem,
  stallMs: number,
  ways: number,
  thinning: Thinning,
): number {
  const { bitratesBps, segmentBits, segmentMs, playMs, volume } = problem;
  const rates = bitratesBps.map((bps) => bps / 1e6);
  const segments = segmentBits[0]?.length ?? 0;
  const builder = new FrontBuilder(ways, ways * rates.length + 1, thinning);
  let fronts: Front[] = [];
  for (let i = 0; i < segments; i += 1) {
    const earliest = openBits(problem, i);
    const deadline = volume.bitsAt(playMs + stallMs + i * segmentMs);
    fronts = rates.map((rate, rung) => {
      const size = segmentBits[rung]?.[i] ?? Infinity;
      if (i === 0) {
        if (earliest + size <= deadline) builder.add(earliest + size, rate);
        return builder.take();
      }
      for (const [from, front] of fronts.entries()) {
        const gain = rate - Math.abs(rate - (rates[from] ?? rate));
        follow(front, earliest, deadline - size, size, gain, builder);
      }
      return builder.take();
    });
  }
  return Math.max(...fronts.map((front) => front.qoe.at(-1) ?? -Infinity));
}

/** Extends every way of a front by one segment. */
function follow(
  front: Front,
  earliest: number,
  latest: number,
  size: number,
  gain: number,
  builder: FrontBuilder,
): void {
  const { bits, qoe } = front;
  for (let k = 0; k < bits.length; k += 1) {
    const start = bits[k] ?? 0;
    if (start > latest) return;
    // Of those that have to wait for room, only the last is not beaten.
    if (start < earliest && (bits[k + 1] ?? Infinity) <= earliest) continue;
    const from = Math.max(start, earliest);
    if (from > latest) return;
    builder.add(from + size, (qoe[k] ?? 0) + gain);
  }
}
