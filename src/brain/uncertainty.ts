import { clamp, naturalLog, type Forecast } from '../core';
import type { Uncertainty } from '../abr';
import { healthOf, type PathHealth } from './path-health';

/** Squared errors of the forecasts' logarithms; newer ones weigh more. */
export interface ForecastErrors {
  sum: number;
  weight: number;
}

export const uncertaintyConfig = {
  /** Before any error is known: the rate of 80 radio and line traces changes by a factor of e^0.45 in 2 s. */
  spread: 0.45,
  /**
   * Lower bound of the spread: good forecasts do not exclude a change. The calmest traces, lines, change by e^0.3
   * in 2 s.
   */
  leastSpread: 0.3,
  /** The first spread counts as this many errors. */
  priorErrors: 4,
  /** Weight that an error keeps with each new one: the last ten count. */
  keep: 0.9,
  /** Larger errors are outages, which the chance of a failure covers. */
  mostError: 1.5,
  /** Chance of a failure during a segment. Measured on the same traces: 0.008 to 0.052 in 2 s. */
  failure: 0.02,
  /** A suspect path is as likely to be in a dip as to have failed. */
  suspectFailure: 0.5,
  /** Share of the rate after a failure, at least: most paths return within the segment's wait. */
  leastShare: 0.7,
  /** A forecast of less confidence is a bound (a manifest, one burst): its difference from the rate is no error. */
  leastConfidence: 0.1,
  /** Spread of the rate of a path that was never measured: a factor of e. */
  unknownSpread: 1,
} as const;

export const noErrors: ForecastErrors = {
  sum: uncertaintyConfig.priorErrors * uncertaintyConfig.spread * uncertaintyConfig.spread,
  weight: uncertaintyConfig.priorErrors,
};

/** Stores the error of a forecast, once its segment is complete. */
export function addError(
  { sum, weight }: ForecastErrors,
  forecastBps: number,
  actualBps: number,
): ForecastErrors {
  if (!(forecastBps > 0) || !(actualBps > 0)) return { sum, weight };
  const { mostError, keep } = uncertaintyConfig;
  const ratio = clamp(actualBps / forecastBps, 1e-3, 1e3);
  const error = clamp(naturalLog(ratio), -mostError, mostError);
  return { sum: sum * keep + error * error, weight: weight * keep + 1 };
}

/**
 * Stores that a segment's rate was at least this: its server had less to send than the network carries. That
 * confirms a forecast up to the bound, and proves nothing about a higher one.
 */
export function addBound(
  errors: ForecastErrors,
  forecastBps: number,
  boundBps: number,
): ForecastErrors {
  return boundBps >= forecastBps ? addError(errors, forecastBps, forecastBps) : errors;
}

/**
 * Uncertainty of the forecast for the paths that it covers. The chunks of a growing segment bound the rate from
 * below many times, so only the part above is unknown. One burst of a download predicts little about the next two
 * seconds. Without the unknown part below, 300 simulated training pairs stall 0.2 s longer.
 */
export function uncertainty(
  { errors, health }: { errors: ForecastErrors; health: readonly PathHealth[] },
  forecast: Forecast,
  growing: boolean,
): Uncertainty {
  const used = forecast.paths.filter(({ usable }) => usable);
  const sumBps = used.reduce((sum, { rateBps }) => sum + rateBps, 0);
  const bestBps = Math.max(0, ...used.map(({ rateBps }) => rateBps));
  const isSuspect = used.some(({ pathId }) => healthOf(health, pathId) === 'suspect');
  const { failure, suspectFailure, leastShare, unknownSpread, leastSpread } = uncertaintyConfig;
  const learned = errors.sum / errors.weight;
  const known = Math.max(leastSpread * leastSpread, learned);
  const unknown = (unknownSpread * (1 - forecast.confidence)) ** 2;
  const rise = Math.sqrt(known + unknown);
  return {
    spread: growing ? Math.sqrt(known) : rise,
    rise,
    failureNow: isSuspect ? suspectFailure : failure,
    failureLater: failure,
    othersShare: Math.max(leastShare, sumBps > 0 ? 1 - bestBps / sumBps : 0),
  };
}
