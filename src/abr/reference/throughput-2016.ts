import { highestBelow, type ReferenceObservation } from './observation';

/** Segments of the mean: "the throughputs of the last three segments" (Zhao et al., section III-A). */
const SEGMENTS = 3;
/** Share of the mean that a rung may need: `bandwidthSafetyFactor` of dash.js 2. */
const SAFE_SHARE = 0.9;

/**
 * ThroughputRule of dash.js in 2016, the rule of the MPTCP+ paper (Zhao et al.): the highest rung below a share of the mean
 * throughput of the last three segments. The buffer plays no part. The throughput is that of the whole request; dash.js 2
 * measured from the first byte and took off the share of a segment's length that the first byte had taken.
 */
export function throughput2016({ ladder, throughputBps }: ReferenceObservation): number {
  const last = throughputBps.slice(-SEGMENTS);
  const sumBps = last.reduce((sum, value) => sum + value, 0);
  return highestBelow(ladder, (SAFE_SHARE * sumBps) / Math.max(1, last.length));
}
