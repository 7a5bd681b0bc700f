import { clamp, naturalLog } from '../core';

/** Ratios beyond are outages or mistakes: the logarithm stays finite, and `maxError` limits it further. */
const MAX_RATIO = 1000;

export const errorConfig = {
  /** Before any error is known. Simulated training pairs: the mean of the first errors is 0.3 to 0.4. */
  first: 0.35,
  /** The first error counts as this many. */
  firstWeight: 4,
  /** Weight that an error keeps with each new one: the last ten count. */
  keep: 0.9,
  /** Larger errors are outages, which the chance of a failure covers. */
  maxError: 1.5,
  /** More requests are never in flight. */
  maxInFlight: 8,
  /** A request later than this after the end of another one waited for room in the buffer. A player's own gap is shorter. */
  maxGapMs: 150,
} as const;

const limited = (error: number): number => Math.min(errorConfig.maxError, Math.abs(error));

/** The rate that a planner expected when it chose a segment. */
export interface ExpectedRate {
  /** CLOCK_MONOTONIC of the decision. */
  atMs: number;
  rateBps: number;
  /** Spread of the belief: of the rate's logarithm, without its tails. */
  spread: number;
  /** Bytes of earlier segments that had not arrived. */
  pendingBytes: number;
  /** Bit rate times duration of the segment. Undefined if its size was known. */
  statedBytes?: number | undefined;
}

/** Absolute errors of the forecasts' logarithms, and the forecasts whose segments have not arrived. */
export interface ForecastErrors {
  /** Newer errors weigh more. */
  sum: number;
  weight: number;
  /** Of the last decision, until its segment is requested. Undefined where it expects nothing. */
  decided: ExpectedRate | undefined;
  /** Of the segments in flight. */
  inFlight: readonly { requestId: number; expected: ExpectedRate }[];
  /** The error that was added last. The next segment's request adds the bytes that came early (`countEarly`). */
  newest: JudgedForecast | undefined;
}

export const noErrors: ForecastErrors = {
  sum: errorConfig.firstWeight * errorConfig.first,
  weight: errorConfig.firstWeight,
  decided: undefined,
  inFlight: [],
  newest: undefined,
};

/** Stores what a planner expects at a decision. A decision before it was never carried out. */
export const expectRate = (
  errors: ForecastErrors,
  decided: ExpectedRate | undefined,
): ForecastErrors => ({ ...errors, decided });

/** A video segment was requested: the last decision is about it. */
export function beginSegment(errors: ForecastErrors, requestId: number): ForecastErrors {
  const { decided, inFlight } = errors;
  if (decided === undefined) return errors;
  const all = [...inFlight, { requestId, expected: decided }];
  return { ...errors, decided: undefined, inFlight: all.slice(-errorConfig.maxInFlight) };
}

/** The forecast of a segment in flight. Undefined where none was made. */
export const expectedOf = (
  { inFlight }: ForecastErrors,
  requestId: number,
): ExpectedRate | undefined => inFlight.find((one) => one.requestId === requestId)?.expected;

/** A request ended, with any outcome. */
export const endSegment = (errors: ForecastErrors, requestId: number): ForecastErrors => ({
  ...errors,
  inFlight: errors.inFlight.filter((one) => one.requestId !== requestId),
});

/** The clock jumped: the forecasts under way have times of the old one. */
export const forgetExpected = (errors: ForecastErrors): ForecastErrors => ({
  ...errors,
  decided: undefined,
  inFlight: [],
  newest: undefined,
});

/** An error of a forecast and the believed spread, both of the rate's logarithm. */
export interface JudgedForecast {
  error: number;
  spread: number;
  /** All bytes that the error counts. */
  bytes: number;
  /** End of the segment's request. */
  endMs: number;
}

/**
 * A segment that arrived: the bytes since its request. `startMs` and `endMs` are those of the request,
 * CLOCK_MONOTONIC.
 */
export interface ArrivedSegment {
  bytes: number;
  startMs: number;
  endMs: number;
}

/**
 * The logarithm of the rate of a segment over its forecast, 0 for equal. A segment that was requested behind others
 * arrives after their bytes, which count from the decision on. NaN for impossible times.
 */
export function forecastError(
  { atMs, rateBps, pendingBytes }: ExpectedRate,
  { bytes, startMs, endMs }: ArrivedSegment,
): number {
  const ms = endMs - (pendingBytes > 0 ? atMs : startMs);
  if (!(ms >= 0)) return NaN;
  const actualBps = ((bytes + pendingBytes) * 8000) / Math.max(1, ms);
  return naturalLog(clamp(actualBps / rateBps, 1 / MAX_RATIO, MAX_RATIO));
}

/** Adds the error of a forecast. One that is no number is none. */
export function addError(
  errors: ForecastErrors,
  error: number,
  newest?: JudgedForecast,
): ForecastErrors {
  if (!Number.isFinite(error)) return errors;
  const { keep } = errorConfig;
  return {
    ...errors,
    sum: errors.sum * keep + limited(error),
    weight: errors.weight * keep + 1,
    newest,
  };
}

/**
 * The last error counts what came in the time of its segment for the next one, which was announced. A request that follows
 * later leaves it: its bytes may have come after that time.
 */
export function countEarly(
  errors: ForecastErrors,
  { earlyBytes = 0, startMs }: { earlyBytes?: number | undefined; startMs: number },
): ForecastErrors {
  const { newest, sum } = errors;
  if (!newest || !(startMs - newest.endMs <= errorConfig.maxGapMs)) return errors;
  const error = newest.error + naturalLog(1 + earlyBytes / newest.bytes);
  return {
    ...errors,
    sum: sum + limited(error) - limited(newest.error),
    newest: { ...newest, error, bytes: newest.bytes + earlyBytes },
  };
}

/** Mean absolute error of the last forecasts. */
export const meanError = ({ sum, weight }: ForecastErrors): number => sum / weight;
