import { harmonicMean, type ReferenceObservation } from './observation';

/** Yin et al., section 5: the plan covers five segments, and the forecast uses five. */
const HORIZON = 5;
const SEGMENTS = 5;

/**
 * RobustMPC (Yin et al., SIGCOMM 2015): the best plan for five segments at the forecast divided by one plus
 * its largest recent error.
 */
export function robustMpc(observation: ReferenceObservation): number {
  const rateBps = robustRateBps(observation.throughputBps);
  return rateBps === undefined ? 0 : bestFirstRung(observation, rateBps);
}

/** Undefined without a measured segment. */
function robustRateBps(throughputBps: readonly number[]): number | undefined {
  const forecastBps = harmonicMean(throughputBps, SEGMENTS);
  if (forecastBps === undefined) return undefined;
  const first = Math.max(1, throughputBps.length - SEGMENTS);
  const errors = throughputBps.slice(first).map((actual, index) => {
    const before = harmonicMean(throughputBps.slice(0, first + index), SEGMENTS) ?? actual;
    return Math.abs(before - actual) / actual;
  });
  return forecastBps / (1 + Math.max(0, ...errors));
}

function bestFirstRung(observation: ReferenceObservation, rateBps: number): number {
  const { ladder, segmentMs, bufferTargetMs, nextBytes } = observation;
  const mbps = ladder.rungs.map(({ bitrateBps }) => bitrateBps / 1e6);
  const penalty = mbps.at(-1) ?? 0;
  const depth = Math.min(HORIZON, nextBytes.length);
  let bestFirst = 0;
  let best = -Infinity;
  const search = (
    step: number,
    rung: number,
    bufferMs: number,
    qoe: number,
    first: number,
  ): void => {
    if (step === depth) {
      if (qoe > best) {
        best = qoe;
        bestFirst = first;
      }
      return;
    }
    mbps.forEach((value, next) => {
      const bytes = nextBytes[step]?.[next] ?? 0;
      const downloadMs = (bytes * 8e3) / rateBps;
      const stallMs = Math.max(0, downloadMs - bufferMs);
      const after = Math.min(Math.max(bufferMs - downloadMs, 0) + segmentMs, bufferTargetMs);
      const gain = value - (penalty * stallMs) / 1000 - Math.abs(value - (mbps[rung] ?? 0));
      search(step + 1, next, after, qoe + gain, step === 0 ? next : first);
    });
  };
  search(0, Math.max(observation.currentRung, 0), observation.bufferMs, 0, 0);
  return bestFirst;
}
