/**
 * Backward induction over buffer, last rung and rate level: what each state is worth.
 * Buffer dynamics and linear QoE are those of Yin et al., A Control-Theoretic Approach for Dynamic Adaptive Video
 * Streaming over HTTP, SIGCOMM 2015, section 4. The expectation over transmission times is that of Yan et al., Learning in
 * situ (Puffer), NSDI 2020, section 4.4. The terminal value prices the buffer that remains at the horizon; without it
 * the planner would drain the buffer.
 */
import { clamp, type Corner } from '../core';
import { bufferValue } from './buffer-value';
import { chainMean, RETURN_LEVEL, type RateChain } from './rate-chain';
import { stallWeightOf } from './stall-price';

export const planConfig = {
  /** Segments ahead. Simulated on 80 pairs: 7, 10 and 15 are equal within the noise. */
  horizon: 10,
  /** Cost of a second of start-up delay, in seconds of stall. */
  startWeight: 0.5,
  /** Value of a second of buffer at the horizon, by its share of the target. 1 breaks even with the spent bits. */
  bufferWorth: [
    [0, 0.8],
    [0.2, 0.35],
    [0.5, 0.1],
    [1, 0],
  ] as readonly Corner[],
  /**
   * The viewer leaves within this time on average, so that later quality counts less. Simulated on 35 pairs: half of it
   * gains 0.03 of the optimum where paths do not fade, and stalls six times as long where they do.
   */
  leaveMs: 60_000,
  /** Resolution of the buffer: a quarter of a usual segment, and more for a long one (`maxSteps`). */
  stepMs: 500,
  /** Most steps of the buffer in a segment, which may be a whole film. */
  maxSteps: 20,
  /** More buffer adds no value: longer outages were 2 % of those measured on walks. */
  maxBufferMs: 24_000,
  /** Time from a request to its first byte, plus the player's gap between two requests. Measured: 78 to 134 ms. */
  overheadMs: 100,
  /** Slower rates count as this: loads stay finite, and a smaller segment is still better. */
  minRateBps: 1000,
  /** Smaller probabilities change no decision. */
  minChance: 1e-3,
} as const;

export interface RungPlanInput {
  /** Bit rates of the ladder, ascending. */
  bitratesBps: readonly number[];
  /** -1: nothing was fetched before. */
  currentRung: number;
  bufferMs: number;
  /** The player requests a segment while its buffer is below this. */
  bufferTargetMs: number;
  segmentMs: number;
  /** False before the first frame: waiting then counts as start-up delay. */
  playing: boolean;
  chain: RateChain;
  /** Segments that were requested already, and their bytes that have not arrived. */
  pending?: { segments: number; bytes: number } | undefined;
  /** Bytes of segment `ahead` (0 is the next) on a rung. */
  sizeOf: (ahead: number, rung: number) => number;
  /** Live: available media after the buffer. Later media becomes available in real time. */
  availableMs?: number | undefined;
  /** Live: media that becomes available at once; a whole segment if it does not grow in chunks. */
  unitMs?: number | undefined;
  /** Segments until the end of the film, if that is within the horizon. */
  remaining?: number | undefined;
}

/** The plan's constants in one place, and the axes of its tables: rung, then level, then buffer. */
export interface Space {
  input: RungPlanInput;
  mbps: readonly number[];
  levels: number;
  points: number;
  stepMs: number;
  /** The player waits until its buffer is below this. */
  roomMs: number;
  stallCost: number;
  /** The chain's, without the smallest. */
  next: Float64Array;
  /** First and last level with a chance for each row of `next`, after the failure and the outage. */
  bands: readonly { first: number; last: number }[];
}

export interface PlanStates {
  /** Expected worth after the next segment, by its rung, the level at which it came, and the buffer. */
  expected: Float64Array;
  space: Space;
}

/** Computes the worth of every state after the next segment. Undefined for an empty ladder. */
export function planStates(input: RungPlanInput): PlanStates | undefined {
  const { bitratesBps, chain, segmentMs, availableMs = Infinity } = input;
  if (bitratesBps.length === 0) return undefined;
  const { maxBufferMs, horizon, minChance } = planConfig;
  const stepMs = Math.max(planConfig.stepMs, segmentMs / planConfig.maxSteps);
  const mbps = bitratesBps.map((bps) => bps / 1e6);
  // Live media exist once a unit of them was broadcast; the buffer never holds more.
  const maxMs = Math.max(0, input.bufferMs + availableMs - (input.unitMs ?? segmentMs));
  const targetMs = Math.max(
    segmentMs,
    Math.min(input.bufferTargetMs, maxBufferMs - segmentMs, maxMs),
  );
  const levels = chain.levelsBps.length;
  const next = chain.next.map((chance) => (chance < minChance ? 0 : chance));
  const space: Space = {
    input,
    mbps,
    levels,
    // A multiple of four (`expectNext`).
    points: 4 * Math.ceil((Math.ceil((targetMs + segmentMs) / stepMs) + 1) / 4),
    stepMs,
    roomMs: Math.min(targetMs, maxMs),
    stallCost: ((mbps.at(-1) ?? 0) * stallWeightOf(segmentMs)) / 1000,
    next,
    bands: bandsOf(next, levels),
  };
  const depth = Math.max(1, Math.min(horizon, input.remaining ?? horizon));
  const isEnd = input.remaining !== undefined && input.remaining <= horizon;
  const worth = new Float64Array(mbps.length * space.levels * space.points);
  const expected = new Float64Array(worth.length);
  if (!isEnd) fillTerminal(worth, space, targetMs);
  for (let ahead = depth - 1; ahead > 0; ahead -= 1) {
    expectNext(worth, expected, space);
    improve(worth, expected, space, ahead);
  }
  expectNext(worth, expected, space);
  return { expected, space };
}

/** Value of the buffer that remains: the quality that its download time buys later, with diminishing returns. */
function fillTerminal(worth: Float64Array, space: Space, targetMs: number): void {
  const { input, mbps, levels, points, stepMs } = space;
  const middle = chainMean(input.chain);
  // Capacity above the highest rung has no value. By the horizon half of the rate's deviation has decayed.
  const buys = input.chain.levelsBps.map(
    (bps) => Math.min((bps + middle) / 2e6, mbps.at(-1) ?? 0) / Math.max(1, input.segmentMs),
  );
  for (let point = 0; point < points; point += 1) {
    const share = (point * stepMs) / targetMs;
    const buffer = bufferValue(planConfig.bufferWorth, share) * targetMs;
    for (let state = 0; state < mbps.length * levels; state += 1) {
      worth[state * points + point] = (buys[state % levels] ?? 0) * buffer;
    }
  }
}

function bandsOf(next: Float64Array, levels: number): Space['bands'] {
  return Array.from({ length: levels }, (_, from) => {
    const band = { first: levels, last: 0 };
    for (let to = RETURN_LEVEL; to < levels; to += 1) {
      if (next[from * levels + to] === 0) continue;
      band.first = Math.min(band.first, to);
      band.last = to;
    }
    return band;
  });
}

/**
 * The expectation of a table over the next segment's level. Four points at a time: their sums do not wait for each
 * other.
 */
function expectNext(worth: Float64Array, expected: Float64Array, space: Space): void {
  const { mbps, levels, points, next, bands } = space;
  for (let rung = 0; rung < mbps.length; rung += 1) {
    const source = rung * levels * points;
    for (let from = 0; from < levels; from += 1) {
      const row = from * levels;
      const target = source + from * points;
      const failure = next[row] ?? 0;
      const outage = next[row + 1] ?? 0;
      const { first: begin = RETURN_LEVEL, last: end = 0 } = bands[from] ?? {};
      for (let point = 0; point < points; point += 4) {
        let place = source + point;
        let first = failure * (worth[place] ?? 0) + outage * (worth[place + points] ?? 0);
        let second = failure * (worth[place + 1] ?? 0) + outage * (worth[place + points + 1] ?? 0);
        let third = failure * (worth[place + 2] ?? 0) + outage * (worth[place + points + 2] ?? 0);
        let fourth = failure * (worth[place + 3] ?? 0) + outage * (worth[place + points + 3] ?? 0);
        place += begin * points;
        for (let to = begin; to <= end; to += 1) {
          const chance = next[row + to] ?? 0;
          first += chance * (worth[place] ?? 0);
          second += chance * (worth[place + 1] ?? 0);
          third += chance * (worth[place + 2] ?? 0);
          fourth += chance * (worth[place + 3] ?? 0);
          place += points;
        }
        expected[target + point] = first;
        expected[target + point + 1] = second;
        expected[target + point + 2] = third;
        expected[target + point + 3] = fourth;
      }
    }
  }
}

/** One step back: the best rung of segment `ahead` from every state. */
function improve(worth: Float64Array, expected: Float64Array, space: Space, ahead: number): void {
  const { mbps, levels, points, stepMs, roomMs, stallCost, input } = space;
  const keep = clamp(1 - input.segmentMs / planConfig.leaveMs, 0, 1);
  for (let rung = 0; rung < mbps.length; rung += 1) {
    const quality = mbps[rung] ?? 0;
    const bytes = input.sizeOf(ahead, rung);
    for (let level = 0; level < levels; level += 1) {
      const base = (rung * levels + level) * points;
      const loadMs = loadTime(bytes, level, input.chain);
      const afterStall = quality + keep * at(expected, base, input.segmentMs, space);
      // The buffer changes by the same in every row, so each lies between two points by the same share.
      const change = (input.segmentMs - loadMs) / stepMs;
      const whole = Math.floor(change);
      const share = change - whole;
      const lastFree = Math.min(points - 1, Math.floor(roomMs / stepMs));
      for (let point = 0; point <= lastFree; point += 1) {
        const stallMs = loadMs - point * stepMs;
        const low = Math.min(points - 2, point + whole);
        const below = expected[base + low] ?? 0;
        worth[base + point] =
          stallMs >= 0
            ? afterStall - stallCost * stallMs
            : quality + keep * (below + share * ((expected[base + low + 1] ?? 0) - below));
      }
      // Above its target the player waits.
      const leftMs = roomMs - loadMs;
      const full =
        leftMs < 0
          ? afterStall + stallCost * leftMs
          : quality + keep * at(expected, base, leftMs + input.segmentMs, space);
      for (let point = lastFree + 1; point < points; point += 1) worth[base + point] = full;
    }
  }
  keepBestRung(worth, space);
}

/**
 * The best rung to go to from each last one. A step costs its height, so the best of all rungs is found in one pass up
 * and one pass down.
 */
function keepBestRung(worth: Float64Array, { mbps, levels, points }: Space): void {
  const size = levels * points;
  const pass = (from: number, to: number): void => {
    const cost = Math.abs((mbps[to] ?? 0) - (mbps[from] ?? 0));
    for (let place = 0; place < size; place += 1) {
      const moved = (worth[from * size + place] ?? 0) - cost;
      worth[to * size + place] = Math.max(moved, worth[to * size + place] ?? 0);
    }
  };
  for (let rung = 1; rung < mbps.length; rung += 1) pass(rung - 1, rung);
  for (let rung = mbps.length - 1; rung > 0; rung -= 1) pass(rung, rung - 1);
}

/** Time from the request for so many bytes to the last one. */
export function loadTime(bytes: number, level: number, { levelsBps, delaysMs }: RateChain): number {
  const { overheadMs, minRateBps } = planConfig;
  const rateBps = Math.max(minRateBps, levelsBps[level] ?? 0);
  return overheadMs + (delaysMs[level] ?? 0) + (bytes * 8000) / rateBps;
}

/** The table's value between two points of the buffer. */
export function at(table: Float64Array, base: number, bufferMs: number, space: Space): number {
  const { points, stepMs } = space;
  const place = Math.min(points - 1, bufferMs / stepMs);
  const low = Math.min(points - 2, Math.floor(place));
  const share = place - low;
  return (table[base + low] ?? 0) * (1 - share) + (table[base + low + 1] ?? 0) * share;
}
