import { mean, type PathId } from '../../core';
import { rttMs } from '../choose';
import type { ObservedPath } from '../observation';

export interface SharedBottleneckConfig {
  /** Observations with data on both paths before a comparison. Example: 30, three seconds of download. */
  minSamples: number;
  /** Observations kept. Example: 80. */
  maxSamples: number;
  /** Skipped start of a busy period: there every queue grows, shared or not. Example: 500 ms. */
  rampMs: number;
  /** Delays with at least this correlation share a queue ... Example: 0.7. */
  delayCorrelation: number;
  /** ... if the rates also correlate, positively or negatively, by at least this. Example: 0.3. */
  rateCorrelation: number;
  /** A link whose queue makes up more than this share of the round trip is congested (thr_cong of the paper). Example: 0.5. */
  congestedQueueShare: number;
  /** Lifetime of a verdict: paths that are no longer used together prove nothing. Example: 60 s. */
  verdictMs: number;
}

export const defaultSharedBottleneckConfig: SharedBottleneckConfig = {
  minSamples: 30,
  maxSamples: 80,
  rampMs: 500,
  delayCorrelation: 0.7,
  rateCorrelation: 0.3,
  congestedQueueShare: 0.5,
  verdictMs: 60_000,
};

/**
 * Paths compared with each other, and pairs compared at one observation (in turns). More would make a
 * decision slow.
 */
const COMPARED_PATHS = 8;
const COMPARED_PAIRS = 3;

interface Reading {
  pathId: PathId;
  rateBps: number;
  rttMs: number;
}

/** Two paths with a common congested link, and the end of the verdict. */
export interface CongestedPair {
  a: PathId;
  b: PathId;
  untilMs: number;
}

export interface SharedBottleneckMemory {
  /** Readings of the same instants, oldest first. */
  rows: readonly (readonly Reading[])[];
  /** Start of each path's uninterrupted data. */
  busy: readonly { pathId: PathId; sinceMs: number }[];
  shortest: readonly { pathId: PathId; rttMs: number }[];
  pairs: readonly CongestedPair[];
  /** The next pair to compare. */
  turn: number;
}

export const noSharedBottleneck: SharedBottleneckMemory = {
  rows: [],
  busy: [],
  shortest: [],
  pairs: [],
  turn: 0,
};

/**
 * Finds pairs of paths behind one congested link from the receiver's measurements. Delays that rise and fall
 * together belong to one queue. The rates of flows in one queue compete for its link or follow its capacity
 * together. The congestion is the share of the round trip spent in the queue.
 */
export function observeSharedBottlenecks(
  memory: SharedBottleneckMemory,
  paths: readonly ObservedPath[],
  nowMs: number,
  config: SharedBottleneckConfig,
): SharedBottleneckMemory {
  const known = paths.filter(({ state }) => state !== 'lost');
  const busy = known
    .filter(({ state, throughputBps }) => state === 'active' && throughputBps !== undefined)
    .map(({ pathId }) => ({
      pathId,
      sinceMs: memory.busy.find((entry) => entry.pathId === pathId)?.sinceMs ?? nowMs,
    }));
  const shortest = known.flatMap((path) => {
    const before = memory.shortest.find(({ pathId }) => pathId === path.pathId)?.rttMs;
    const now = rttMs(path);
    if (now === undefined && before === undefined) return [];
    const least = Math.min(now ?? Number.MAX_VALUE, before ?? Number.MAX_VALUE);
    return [{ pathId: path.pathId, rttMs: least }];
  });
  const row = known.flatMap((path): Reading[] => {
    const sinceMs = busy.find(({ pathId }) => pathId === path.pathId)?.sinceMs;
    const rtt = rttMs(path);
    if (sinceMs === undefined || rtt === undefined || nowMs - sinceMs < config.rampMs) return [];
    return [{ pathId: path.pathId, rateBps: path.throughputBps ?? 0, rttMs: rtt }];
  });
  row.splice(COMPARED_PATHS);
  const open = memory.pairs.filter(({ untilMs }) => untilMs > nowMs);
  if (row.length < 2) return { ...memory, busy, shortest, pairs: open };
  const rows = [...memory.rows, row].slice(-Math.trunc(config.maxSamples));
  const all = row.flatMap(({ pathId: a }, i) =>
    row.slice(i + 1).map(({ pathId: b }) => ({ a, b, untilMs: nowMs + config.verdictMs })),
  );
  const turn = memory.turn % all.length;
  const fresh = [...all.slice(turn), ...all.slice(0, turn)]
    .slice(0, COMPARED_PAIRS)
    .filter(({ a, b }) => isCongestedPair(rows, shortest, a, b, config));
  const kept = open.filter((old) => !fresh.some(({ a, b }) => isPair(old, a, b)));
  return { rows, busy, shortest, pairs: [...kept, ...fresh], turn: turn + COMPARED_PAIRS };
}

/** Returns true if the pair consists of these two paths, in any order. */
export function isPair(pair: CongestedPair, a: PathId, b: PathId): boolean {
  return (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a);
}

function isCongestedPair(
  rows: SharedBottleneckMemory['rows'],
  shortest: SharedBottleneckMemory['shortest'],
  a: PathId,
  b: PathId,
  config: SharedBottleneckConfig,
): boolean {
  const both = rows.flatMap((row): [Reading, Reading][] => {
    const left = row.find(({ pathId }) => pathId === a);
    const right = row.find(({ pathId }) => pathId === b);
    return left && right ? [[left, right]] : [];
  });
  if (both.length < config.minSamples) return false;
  const queueShare = (side: 0 | 1, pathId: PathId): number => {
    const least = shortest.find((entry) => entry.pathId === pathId)?.rttMs ?? 0;
    const average = mean(both.map((pair) => pair[side].rttMs)) ?? 0;
    return average > 0 ? 1 - least / average : 0;
  };
  if (Math.max(queueShare(0, a), queueShare(1, b)) <= config.congestedQueueShare) return false;
  const delays = correlation(both.map(([left, right]) => [left.rttMs, right.rttMs]));
  const rates = correlation(both.map(([left, right]) => [left.rateBps, right.rateBps]));
  return delays >= config.delayCorrelation && Math.abs(rates) >= config.rateCorrelation;
}

/** Pearson's correlation. 0 if one side does not vary. */
export function correlation(pairs: readonly (readonly [number, number])[]): number {
  const meanX = mean(pairs.map(([x]) => x)) ?? 0;
  const meanY = mean(pairs.map(([, y]) => y)) ?? 0;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) * (x - meanX);
    yy += (y - meanY) * (y - meanY);
  }
  const scale = Math.sqrt(xx) * Math.sqrt(yy);
  return scale > 0 ? xy / scale : 0;
}
