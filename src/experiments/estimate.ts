import { meanInterval } from '../core';
import type { Estimate } from './types';

/** Mean of independent values with its 95 % confidence interval (Student's t). */
export function estimate(values: readonly number[]): Estimate {
  const interval = meanInterval(values.filter(Number.isFinite));
  if (interval === undefined) return { count: 0, mean: null, low: null, high: null };
  const { count, mean, halfWidth95 } = interval;
  if (halfWidth95 === undefined) return { count, mean, low: null, high: null };
  return { count, mean, low: mean - halfWidth95, high: mean + halfWidth95 };
}

/**
 * Whether a mean is above `limit`: true or false where the whole interval says so, null where chance may have made the
 * difference or there are too few values.
 */
export function isAbove({ low, high }: Estimate, limit: number): boolean | null {
  if (low === null || high === null) return null;
  return low > limit ? true : high < limit ? false : null;
}

/** {@link isAbove}, the other way round. */
export function isBelow({ low, high }: Estimate, limit: number): boolean | null {
  if (low === null || high === null) return null;
  return high < limit ? true : low > limit ? false : null;
}

/** True where all are, false where one is false. */
export function allOf(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.length === 0 || verdicts.includes(null) ? null : true;
}

/** "2.31 (2.10 to 2.52), 6 pairs". @param of what the values are, in the plural */
export function estimateText(
  { count, mean, low, high }: Estimate,
  digits: number,
  of: string,
): string {
  if (mean === null) return `no ${of}`;
  const text = mean.toFixed(digits);
  const range =
    low === null || high === null ? '' : ` (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
  return `${text}${range}, ${String(count)} ${of}`;
}
