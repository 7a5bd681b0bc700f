import { FrontBuilder, type Front, type Thinning } from './front';
import type { Volume } from './rate-profile';

/** A film, a capacity and a player's limits. */
export interface OptimumProblem {
  /** Bit rate of each rung, ascending. */
  bitratesBps: readonly number[];
  /** Bits needed to show a segment, including audio: by rung, then by segment. */
  segmentBits: readonly (readonly number[])[];
  segmentMs: number;
  /** Cost of a second of stalling, in bit/s. */
  topBitrateBps: number;
  volume: Volume;
  /** Earliest request time of the first segment. */
  startMs: number;
  /** Time of the first frame; the wait until then costs nothing. */
  playMs: number;
  /** Buffer limit: a segment is requested only when it fits into this much media ahead of the playhead. */
  bufferCapMs: number;
  /**
   * Segments whose quality counts; absent: all. The others keep the picture until `untilMs`, at their least size, as
   * far as that costs less than a stall.
   */
  counted?: number | undefined;
  /** End of a session that ended in a stall. Later deadlines cost nothing. */
  untilMs?: number | undefined;
}

export interface OptimumOptions {
  /** Candidates kept per segment and rung; more is finer and slower. */
  ways: number;
  /** The search ends when the possible gain is below the cost of this much stalling. */
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
  /** Total stall time. */
  stallMs: number;
}

/**
 * Upper bound of the linear QoE (Yin et al., SIGCOMM 2015, section 2.2; see src/qoe): the optimum knows the
 * future, and the network is a fluid.
 *
 * A candidate is a sequence of rungs. Its bits sent so far stand for the time, since the capacity is known.
 * Dynamic programming over segment and last rung keeps every candidate that no other beats in both bits and
 * QoE. A stall may as well happen before the second frame: its cost is the same, and later deadlines cost
 * nothing. So all deadlines move by one sum of stalls, and a branch and bound over that sum finds the best.
 * The buffer limit ignores stalls, which only loosens it.
 *
 * With `bound` the result exceeds the truth by at most the cost of one `stallStepMs` of stalling plus the
 * merging error. If more than `ways` candidates meet, they are sorted into as many bins. Each bin becomes one
 * candidate with the best of each value. An error of half a per mille is usual. `real` gives the value of
 * an existing candidate, a lower bound.
 */
export function bestQoe(problem: OptimumProblem, options: Partial<OptimumOptions> = {}): Optimum {
  const { ways, stallStepMs, thinning } = { ...DEFAULT_OPTIMUM_OPTIONS, ...options };
  const segments = countedOf(problem);
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

  // No longer stall pays even if it buys the top rung throughout.
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
    // Bounds inside an interval of stalls: the quality of its end at the cost of its beginning.
    open.push(
      { fromMs, toMs: middleMs, qoe: quality - penalty * fromMs },
      { fromMs: middleMs, toMs, qoe: next.qoe - penalty * (middleMs - fromMs) },
    );
  }
}

const segmentsOf = ({ segmentBits }: OptimumProblem): number => segmentBits[0]?.length ?? 0;

const countedOf = (problem: OptimumProblem): number => problem.counted ?? segmentsOf(problem);

/** Bits of a segment at its least size. */
const leastBits = ({ segmentBits }: OptimumProblem, segment: number): number =>
  Math.min(...segmentBits.map((rung) => rung[segment] ?? Infinity));

/** Bits that the buffer limit allows before segment `i` is requested. */
function openBits(problem: OptimumProblem, segment: number): number {
  const { volume, startMs, playMs, segmentMs, bufferCapMs } = problem;
  // The segments that fill the first buffer may be fetched before the first frame.
  const fits = (segment + 1) * segmentMs <= bufferCapMs;
  const atMs = fits ? startMs : playMs + (segment + 1) * segmentMs - bufferCapMs;
  return volume.bitsAt(Math.max(startMs, atMs));
}

/** The least sum of stalls with which every segment can be shown; Infinity if none. */
function leastStall(problem: OptimumProblem): number {
  const { volume, playMs, segmentMs, untilMs = -Infinity } = problem;
  const [segments, counted] = [segmentsOf(problem), countedOf(problem)];
  let bits = 0;
  let stallMs = 0;
  for (let i = 0; i < segments; i += 1) {
    const dueMs = playMs + i * segmentMs;
    if (i >= counted && dueMs + stallMs >= untilMs) break;
    bits = Math.max(bits, openBits(problem, i)) + leastBits(problem, i);
    const atMs = volume.timeOf(bits);
    stallMs = Math.max(stallMs, (i < counted ? atMs : Math.min(atMs, untilMs)) - dueMs);
  }
  // A small margin, so that rounding does not refuse a feasible value.
  return stallMs > 0 ? stallMs + 1e-3 : 0;
}

/**
 * Sum of bit rates minus switches, in Mbit/s, with all deadlines later by `stallMs`; -Infinity if infeasible.
 */
function bestQuality(
  problem: OptimumProblem,
  stallMs: number,
  ways: number,
  thinning: Thinning,
): number {
  const { bitratesBps, segmentBits, segmentMs, playMs, volume, untilMs = -Infinity } = problem;
  const rates = bitratesBps.map((bps) => bps / 1e6);
  const [segments, counted] = [segmentsOf(problem), countedOf(problem)];
  const builder = new FrontBuilder(ways, ways * rates.length + 1, thinning);
  let fronts: Front[] = [];
  for (let i = 0; i < segments; i += 1) {
    const dueMs = playMs + stallMs + i * segmentMs;
    if (i >= counted && dueMs >= untilMs) break;
    const earliest = openBits(problem, i);
    const deadline = volume.bitsAt(dueMs);
    if (i >= counted) {
      const least = leastBits(problem, i);
      for (const front of fronts) follow(front, earliest, deadline - least, least, 0, builder);
      fronts = [builder.take()];
      continue;
    }
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

/** Extends every candidate of a front by one segment. */
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
    // Among candidates that wait for buffer space, only the last is undominated.
    if (start < earliest && (bits[k + 1] ?? Infinity) <= earliest) continue;
    const from = Math.max(start, earliest);
    if (from > latest) return;
    builder.add(from + size, (qoe[k] ?? 0) + gain);
  }
}
