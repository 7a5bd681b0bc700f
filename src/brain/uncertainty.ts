import type { Forecast } from '../core';
import type { Uncertainty } from '../abr';
import { meanError } from './forecast-errors';
import { healthOf } from './path-health';
import { sizeSpread } from './segment-sizes';
import type { BrainState } from './state';

export const uncertaintyConfig = {
  /** Lower bound of the spread: good forecasts do not exclude a change. */
  minSpread: 0.2,
  /** A suspect path is as likely to be in a dip as to have failed. */
  suspectFailure: 0.5,
  /**
   * `failure`: chance that the best path fails during a segment: it falls below a tenth within 2 s. Training walks: 0.053,
   * pairs of training traces: 0.010. Byte ranges take the chance of the walks, which halves their avoidable stalls (README).
   * MPTCP: 0.02 is between the two. Chosen; no measurement.
   * `failureMs`: time until the others carry what a failed path owes. MPTCP: until the kernel has reinjected it. Byte ranges:
   * the slowest of five trials of each failure took 69 to 489 ms (`npm run bench -- ranges-failures`).
   * `minShare`: share of the rate after that, at least. MPTCP: most paths return within the segment's wait. Over byte ranges
   * the others carry the rest at once, at their own rate (simulated training pairs: README).
   */
  over: {
    mptcp: { failure: 0.02, failureMs: 3000, minShare: 0.7 },
    ranges: { failure: 0.05, failureMs: 500, minShare: 0.3 },
  },
  /** A forecast of less confidence is a bound (a manifest, one burst): its difference from the rate is no error. */
  minConfidence: 0.1,
  /** Spread of a rate that was never measured. Simulated training pairs: first forecasts have errors of 0.35 to 0.6. */
  unknownSpread: 0.7,
} as const;

/**
 * Uncertainty of the forecast for the paths that it covers. The chunks of a growing segment bound the rate from
 * below many times, so only the part above is unknown. One burst of a download predicts little about the next two
 * seconds.
 */
export function uncertainty(
  { errors, sizes, health, config }: Pick<BrainState, 'errors' | 'sizes' | 'health' | 'config'>,
  forecast: Forecast,
  growing: boolean,
): Uncertainty {
  const used = forecast.paths.filter(({ usable }) => usable);
  const sumBps = used.reduce((sum, { rateBps }) => sum + rateBps, 0);
  const bestBps = Math.max(0, ...used.map(({ rateBps }) => rateBps));
  const isSuspect = used.some(({ pathId }) => healthOf(health, pathId) === 'suspect');
  const { suspectFailure, minSpread, over } = uncertaintyConfig;
  const { failure, failureMs, minShare } = config.carriage === 'ranges' ? over.ranges : over.mptcp;
  const known = Math.max(minSpread, meanError(errors));
  const unknown = uncertaintyConfig.unknownSpread * (1 - forecast.confidence);
  const rise = Math.sqrt(known * known + unknown * unknown);
  return {
    spread: growing ? known : rise,
    rise,
    // Simulated training pairs: from segment to segment the rate changes as much as it misses its forecast.
    step: known,
    failureNow: isSuspect ? suspectFailure : failure,
    failureLater: failure,
    failureMs,
    othersShare: Math.max(minShare, sumBps > 0 ? 1 - bestBps / sumBps : 0),
    // A growing segment comes at the encoder's pace.
    sizeSpread: growing ? 0 : sizeSpread(sizes),
  };
}
