import { clamp, naturalLog } from '../core';

export const errorConfig = {
  /** Before any error is known. Simulated training pairs: the mean of the first errors is 0.3 to 0.4. */
  first: 0.35,
  /** The first error counts as this many. */
  firstWeight: 4,
  /** Weight that an error keeps with each new one: the last ten count. */
  keep: 0.9,
  /** Larger errors are outages, which the chance of a failure covers. */
  mostError: 1.5,
  /** More segments are never requested at once. */
  mostOpen: 4,
} as const;

/** The rate that a planner expected when it chose a segment. */
export interface ExpectedRate {
  /** CLOCK_MONOTONIC of the decision. */
  atMs: number;
  rateBps: number;
  /** Spread of the belief: of the rate's logarithm, without its tails. */
  spread: number;
  /** Bytes of earlier segments that had not arrived. */
  pendingBytes: number;
}

/** Absolute errors of the forecasts' logarithms, and the forecasts whose segments have not arrived. */
export interface ForecastErrors {
  /** Newer errors weigh more. */
  sum: number;
  weight: number;
  open: readonly ExpectedRate[];
}

export const noErrors: ForecastErrors = {
  sum: errorConfig.firstWeight * errorConfig.first,
  weight: errorConfig.firstWeight,
  open: [],
};

/** Stores what a planner expects at a decision. */
export function expectRate(errors: ForecastErrors, expected: ExpectedRate): ForecastErrors {
  return { ...errors, open: [...errors.open, expected].slice(-errorConfig.mostOpen) };
}

/** A segment that arrived. `startMs` and `endMs` are those of its request, CLOCK_MONOTONIC. */
export interface ArrivedSegment {
  bytes: number;
  startMs: number;
  endMs: number;
}

/**
 * Takes the forecast of a segment: the last one before its request. Forecasts before that one belong to segments that
 * were never requested.
 */
export function takeExpected(
  errors: ForecastErrors,
  startMs: number,
): { errors: ForecastErrors; expected: ExpectedRate | undefined } {
  const expected = errors.open.filter(({ atMs }) => atMs <= startMs).at(-1);
  const open = errors.open.filter(({ atMs }) => atMs > startMs);
  return { errors: { ...errors, open }, expected };
}

/**
 * The logarithm of the rate of a segment over its forecast, 0 for equal. A segment that was requested behind others
 * arrives after their bytes, which count from the decision on.
 */
export function forecastError(
  { atMs, rateBps, pendingBytes }: ExpectedRate,
  { bytes, startMs, endMs }: ArrivedSegment,
): number {
  const ms = endMs - (pendingBytes > 0 ? atMs : startMs);
  const actualBps = ((bytes + pendingBytes) * 8000) / Math.max(1, ms);
  return naturalLog(clamp(actualBps / rateBps, 1e-3, 1e3));
}

/** Adds the error of a forecast. One that is no number is none. */
export function addError(errors: ForecastErrors, error: number): ForecastErrors {
  if (!Number.isFinite(error)) return errors;
  const { mostError, keep } = errorConfig;
  return {
    ...errors,
    sum: errors.sum * keep + Math.min(mostError, Math.abs(error)),
    weight: errors.weight * keep + 1,
  };
}

/** Mean absolute error of the last forecasts. */
export const meanError = ({ sum, weight }: ForecastErrors): number => sum / weight;
