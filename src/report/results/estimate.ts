import { mean } from '../../core';
import { criticalT, standardDeviation } from './tests-of-pairs';

/** A mean with its 95 % confidence interval; null where there are too few values. */
export interface Estimate {
  count: number;
  mean: number | null;
  low: number | null;
  high: number | null;
}

/** Mean of independent values with its 95 % confidence interval (Student's t). Leaves out what is not finite. */
export function estimate(values: readonly number[]): Estimate {
  const finite = values.filter(Number.isFinite);
  const count = finite.length;
  const centre = mean(finite) ?? null;
  const deviation = standardDeviation(finite);
  if (centre === null || deviation === undefined) {
    return { count, mean: centre, low: null, high: null };
  }
  const half = (criticalT(count - 1) * deviation) / Math.sqrt(count);
  return { count, mean: centre, low: centre - half, high: centre + half };
}
