import jstat from 'jstat';
import { chainConfig } from '../../abr';
import { LN2 } from '../../core';
import { judgeAgain, judgeForecast, type JudgedForecast } from '../../brain';
import { replayLog } from '../../journal';
import type { LogEvent } from '../../session-log';

/** The shares that the intervals of a {@link Calibration} should hold. */
export const INTERVAL_SHARES: readonly number[] = [0.5, 0.8, 0.95];

/** Number of forecasts of a player that were right within its own intervals. */
export interface Calibration {
  forecasts: number;
  /** Forecasts whose error was inside the interval of each share, in the order of the shares. */
  inside: readonly number[];
}

/**
 * Counts the errors inside the intervals of the belief. It takes the logarithm of the rate as normal with heavy
 * tails (`rate-chain.ts`). Undefined without a forecast.
 */
export function calibrationOf(
  forecasts: readonly Pick<JudgedForecast, 'error' | 'spread'>[],
): Calibration | undefined {
  if (forecasts.length === 0) return undefined;
  const { tailShare, tailWidth, minOctaves } = chainConfig;
  const inside = (deviations: number): number => jstat.jStat.erf(deviations / Math.SQRT2);
  const covered = forecasts.map(({ error, spread }) => {
    // The chain has no finer spread.
    const deviations = Math.abs(error) / Math.max(minOctaves * LN2, spread);
    return (1 - tailShare) * inside(deviations) + tailShare * inside(deviations / tailWidth);
  });
  return {
    forecasts: forecasts.length,
    inside: INTERVAL_SHARES.map((share) => covered.filter((one) => one <= share).length),
  };
}

/**
 * The forecasts of a session whose segments arrived: the brain runs again over its log.
 * @throws Error where it decides otherwise than in the log
 */
export function judgedForecasts(events: readonly LogEvent[]): JudgedForecast[] {
  if (!events.some(({ type }) => type === 'brain')) return [];
  const judged: JudgedForecast[] = [];
  const { difference } = replayLog(events, (before, input) => {
    if (input.type !== 'request-end') return;
    const again = judgeAgain(before, input.request).newest;
    if (again) judged.splice(-1, 1, again);
    const one = judgeForecast(before, input.request);
    if (one !== undefined) judged.push(one);
  });
  if (difference !== undefined) {
    throw new Error(`the replay differs at ${difference.monotonicMs} ms in ${difference.field}`);
  }
  return judged;
}
