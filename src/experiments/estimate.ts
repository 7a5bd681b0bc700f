import { mean } from '../core';
import type { Estimate } from '../report';

/** The mean of each trial's values, in the order of the seeds: values of one trial are not independent. */
export function meansBySeed(values: readonly { seed: number; value: number }[]): number[] {
  const seeds = [...new Set(values.map(({ seed }) => seed))].sort((a, b) => a - b);
  return seeds.map(
    (seed) => mean(values.flatMap((one) => (one.seed === seed ? one.value : []))) ?? NaN,
  );
}

/** The interval of a mean; null with too few values. */
type Bounds = Pick<Estimate, 'low' | 'high'>;

/**
 * Tests if a mean is above `limit`: true or false if the whole interval agrees, null if chance may explain
 * the difference or there are too few values.
 */
export function isAbove({ low, high }: Bounds, limit: number): boolean | null {
  if (low === null || high === null) return null;
  return low > limit ? true : high < limit ? false : null;
}

/** Reverse of {@link isAbove}. */
export function isBelow({ low, high }: Bounds, limit: number): boolean | null {
  if (low === null || high === null) return null;
  return high < limit ? true : low > limit ? false : null;
}

/** Tests if a mean is between two limits: null if its interval is neither entirely inside nor entirely outside. */
export function isWithin(value: Bounds, least: number, most: number): boolean | null {
  if (isBelow(value, least) === true || isAbove(value, most) === true) return false;
  return isAbove(value, least) === true && isBelow(value, most) === true ? true : null;
}

/** True if all are, false if one is false, else null. */
export function allOf(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.length === 0 || verdicts.includes(null) ? null : true;
}

/**
 * "2.31 (2.10 to 2.52), 6 pairs".
 * @param of the name of the values, in the plural
 */
export function estimateText(
  { count, mean, low, high }: Estimate,
  digits: number,
  of: string,
): string {
  if (mean === null) return `no ${of}`;
  const text = mean.toFixed(digits);
  const range =
    low === null || high === null ? '' : ` (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
  return `${text}${range}, ${count} ${of}`;
}
