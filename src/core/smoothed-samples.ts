import { linearlyWeightedMean, mean } from './statistics';

/** Samples of a path's rate as MPTCP+ averages them (paper `mptcp-plus`, section III-A, Algorithm 1). */
export interface SmoothedSamples {
  /** The last two raw samples, bit/s. */
  lastBps: readonly number[];
  /** Means of three raw samples, oldest first. */
  smoothBps: readonly number[];
}

export const NO_SAMPLES: SmoothedSamples = { lastBps: [], smoothBps: [] };

/** Averages the sample with the two before it (lines 10-16) and keeps the newest `count` averages. */
export function addSample(
  samples: SmoothedSamples,
  rateBps: number,
  count: number,
): SmoothedSamples {
  const three = [...samples.lastBps, rateBps];
  return {
    lastBps: three.slice(-2),
    smoothBps: [...samples.smoothBps, mean(three) ?? 0].slice(-count),
  };
}

/**
 * The averages weighted 1..n, the newest most, over n(n+1)/2 (lines 18 and 22).
 * @return undefined before there are `count` of them
 */
export function smoothedMean({ smoothBps }: SmoothedSamples, count: number): number | undefined {
  return smoothBps.length < count ? undefined : linearlyWeightedMean(smoothBps);
}
