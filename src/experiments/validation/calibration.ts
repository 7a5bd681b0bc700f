import { addError, MEASURED_BYTES, noErrors, uncertainty, uncertaintyConfig } from '../../brain';
import type { LogEvent } from '../../session-log';

/** Intervals that a forecast is held to: the share of errors in each, and its half width in standard deviations. */
const INTERVALS = [
  { share: 0.5, deviations: 0.6745 },
  { share: 0.8, deviations: 1.2816 },
  { share: 0.95, deviations: 1.96 },
] as const;

/** How many forecasts of a player's planner were right within its own intervals. */
export interface Calibration {
  forecasts: number;
  /** Forecasts whose error was inside the interval of 50, 80 and 95 %. */
  inside: readonly number[];
}

/** The shares that the intervals of a {@link Calibration} should hold. */
export const INTERVAL_SHARES: readonly number[] = INTERVALS.map(({ share }) => share);

/**
 * Compares the planner's forecasts of a log with the rates of the segments that followed. The planner takes the
 * logarithm of the rate as normal, with a spread from earlier errors; both come from the same functions here.
 * Undefined where no decision forecast a rate.
 */
export function calibrationOf(events: readonly LogEvent[]): Calibration | undefined {
  let errors = noErrors;
  let promise: { rateBps: number; spread: number } | undefined;
  let forecasts = 0;
  const inside = INTERVALS.map(() => 0);
  for (const event of events) {
    if (event.type === 'decision' && event.kind === 'select' && event.mediaType === 'video') {
      const { forecast } = event;
      const { rise } = uncertainty({ errors, health: [] }, forecast, false);
      const isMeasured = forecast.confidence >= uncertaintyConfig.leastConfidence;
      promise = isMeasured ? { rateBps: forecast.rateBps, spread: rise } : undefined;
    }
    if (event.type !== 'request' || event.mediaType !== 'video' || event.kind !== 'media') continue;
    if (event.outcome !== 'ok' || event.bytes < MEASURED_BYTES || promise === undefined) continue;
    const actualBps = (event.bytes * 8000) / Math.max(1, event.endMs - event.startMs);
    const distance = Math.abs(Math.log(actualBps / promise.rateBps)) / promise.spread;
    forecasts += 1;
    INTERVALS.forEach(({ deviations }, index) => {
      if (distance <= deviations) inside[index] = (inside[index] ?? 0) + 1;
    });
    errors = addError(errors, promise.rateBps, actualBps);
    promise = undefined;
  }
  return forecasts === 0 ? undefined : { forecasts, inside };
}
