/**
 * In-order delivery of a set of paths. In the fluid model, B bytes take B / (sum of rates). In addition a segment
 * waits for its last bytes on the slowest path, and the scheduler does not split perfectly.
 */
import { halving, type PathId } from '../core';

/** The measured in-order delivery of a path set, as share of the sum of its paths' rates. */
export interface LearnedSet {
  /** Sorted. */
  pathIds: readonly PathId[];
  /** 0 to 1. */
  share: number;
  /** 0 (hardly seen) to 1. */
  weight: number;
  /** Relative shortfall from the expectation. */
  margin: number;
  /** Time since the newest lesson. */
  ageMs: number;
  /** Rate of the slower paths over that of all, at the time of the lesson. */
  mix: number;
}

export const goodputConfig = {
  /**
   * Share of the sum that remains for each path after the first: splitting is not perfect. Example: 0.95;
   * measured on Linux 6.18: 0.91 to 0.94 for 4+3 Mbit/s and 5+2 Mbit/s with equal delays, 0.83 to 0.93 for
   * pairs of radio traces.
   */
  splitShare: 0.95,
  /**
   * Share of the difference of (loaded) round trips by which a segment's end waits for the longer path. Example: 0.5:
   * one way. Measured: 4 Mbit/s, 20 ms beside 1 Mbit/s, 40 ms lost 0.16 s a segment, the round trips being 0.4 s apart.
   */
  tailShare: 0.5,
  /** Weight of this prior against the learned value; 1 is infinite observation. Example: 0.15, two seconds. */
  priorWeight: 0.15,
  /** Time after which a lesson weighs half. Example: 60 s. */
  lessonHalfLifeMs: 60_000,
  /** Assumed segment if its size is not known, as time at the sum of the rates. Example: 1500 ms. */
  unknownSegmentMs: 1500,
} as const;

/** One path of the set, alone. */
export interface SetPath {
  pathId: PathId;
  rateBps: number;
  safeRateBps: number;
  rttMs?: number | undefined;
}

export interface SetForecast {
  rateBps: number;
  /** Never above `rateBps`. */
  safeRateBps: number;
  /** Of the sum of the rates. */
  efficiency: number;
}

/** Share of the sum that a set delivers, before any lesson. */
function priorShare(
  paths: readonly SetPath[],
  sumBps: number,
  segmentBytes: number | undefined,
): number {
  if (paths.length < 2) return 1;
  const rtts = paths.flatMap(({ rttMs }) => rttMs ?? []);
  const apartMs = rtts.length < 2 ? 0 : Math.max(...rtts) - Math.min(...rtts);
  const fluidMs =
    segmentBytes !== undefined && segmentBytes > 0 && sumBps > 0
      ? (segmentBytes * 8000) / sumBps
      : goodputConfig.unknownSegmentMs;
  const tail = fluidMs / (fluidMs + goodputConfig.tailShare * apartMs);
  return goodputConfig.splitShare ** (paths.length - 1) * tail;
}

/** Goodput of paths that do not wait for each other. */
export function sumOfRates(
  paths: readonly Pick<SetPath, 'rateBps' | 'safeRateBps'>[],
): SetForecast {
  return {
    rateBps: paths.reduce((sum, { rateBps }) => sum + rateBps, 0),
    safeRateBps: paths.reduce((sum, { safeRateBps }) => sum + safeRateBps, 0),
    efficiency: 1,
  };
}

/**
 * In-order goodput of a set: the fluid sum times the prior, which measurements shift towards the set's own
 * value.
 */
export function predictGoodput(
  paths: readonly SetPath[],
  learned: readonly LearnedSet[],
  segmentBytes: number | undefined,
): SetForecast {
  const sum = sumOfRates(paths);
  const { rateBps: sumBps, safeRateBps: safeSumBps } = sum;
  if (paths.length < 2) return sum;
  const key = paths.map(({ pathId }) => pathId).sort();
  const lesson = learned.find(
    ({ pathIds }) => pathIds.length === key.length && pathIds.every((id, i) => id === key[i]),
  );
  const prior = priorShare(paths, sumBps, segmentBytes);
  if (!lesson) {
    const rateBps = sumBps * prior;
    return { rateBps, safeRateBps: Math.min(rateBps, safeSumBps * prior), efficiency: prior };
  }
  const best = Math.max(...paths.map(({ rateBps }) => rateBps));
  const mix = sumBps > 0 ? 1 - best / sumBps : 0;
  const alike =
    Math.max(mix, lesson.mix) > 0 ? Math.min(mix, lesson.mix) / Math.max(mix, lesson.mix) : 1;
  const weight = lesson.weight * alike * halving(lesson.ageMs / goodputConfig.lessonHalfLifeMs);
  const efficiency =
    (goodputConfig.priorWeight * prior + weight * lesson.share) /
    (goodputConfig.priorWeight + weight);
  const rateBps = sumBps * efficiency;
  const safeRateBps = safeSumBps * efficiency * (1 - lesson.margin);
  return { rateBps, safeRateBps: Math.min(rateBps, safeRateBps), efficiency };
}
