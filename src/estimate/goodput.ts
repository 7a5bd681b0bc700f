import { integerPower } from '../core';

/**
 * In-order delivery of a set of paths. In the fluid model, B bytes take B / (sum of rates). In addition a segment
 * waits for its last bytes on the slowest path, and the scheduler does not split perfectly.
 */
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
  /** Assumed segment if its size is not known, as time at the sum of the rates. Example: 1500 ms. */
  unknownSegmentMs: 1500,
} as const;

export interface SetForecast {
  rateBps: number;
  /** Never above `rateBps`. */
  safeRateBps: number;
}

/** One path of the set, alone. */
interface SetPath extends SetForecast {
  rttMs?: number | undefined;
}

/** Share of the sum of the rates that a set delivers in order. */
function deliveredShare(
  paths: readonly SetPath[],
  sumBps: number,
  segmentBytes: number | undefined,
): number {
  const carrying = paths.filter(({ rateBps }) => rateBps > 0);
  if (carrying.length < 2) return 1;
  const rtts = carrying.flatMap(({ rttMs }) => rttMs ?? []);
  const apartMs = rtts.length < 2 ? 0 : Math.max(...rtts) - Math.min(...rtts);
  const fluidMs =
    segmentBytes !== undefined && segmentBytes > 0 && sumBps > 0
      ? (segmentBytes * 8000) / sumBps
      : goodputConfig.unknownSegmentMs;
  const tail = fluidMs / (fluidMs + goodputConfig.tailShare * apartMs);
  return integerPower(goodputConfig.splitShare, carrying.length - 1) * tail;
}

/** Goodput of paths that do not wait for each other. */
export function sumOfRates(paths: readonly SetForecast[]): SetForecast {
  return {
    rateBps: paths.reduce((sum, { rateBps }) => sum + rateBps, 0),
    safeRateBps: paths.reduce((sum, { safeRateBps }) => sum + safeRateBps, 0),
  };
}

/**
 * In-order goodput of paths that share one stream: the fluid sum times `deliveredShare`, for the expected and the safe
 * rates alike.
 */
export function predictGoodput(
  paths: readonly SetPath[],
  segmentBytes: number | undefined,
): SetForecast {
  const sum = sumOfRates(paths);
  const share = deliveredShare(paths, sum.rateBps, segmentBytes);
  const rateBps = sum.rateBps * share;
  return { rateBps, safeRateBps: Math.min(rateBps, sum.safeRateBps * share) };
}
