import { halving } from './halving';

/** Exponentially weighted mean of a rate over intervals of unequal length. Plain data. */
export interface Ewma {
  /** Weighted sum; divide by `weight`. */
  sum: number;
  /** 0 (no data) to 1; corrects the bias of the zero start. */
  weight: number;
}

export const emptyEwma: Ewma = { sum: 0, weight: 0 };

/**
 * Adds a value that was valid for `durationMs`; after `halfLifeMs` it weighs half. Splitting an interval in
 * two with the same value changes nothing. Bad input leaves the mean unchanged.
 */
export function updateEwma(
  ewma: Ewma,
  value: number,
  durationMs: number,
  halfLifeMs: number,
): Ewma {
  if (!Number.isFinite(value) || !(durationMs > 0) || !(halfLifeMs > 0)) return ewma;
  const keep = halving(durationMs / halfLifeMs);
  return {
    sum: ewma.sum * keep + value * (1 - keep),
    weight: ewma.weight * keep + (1 - keep),
  };
}

/** The mean; undefined without data. */
export function ewmaMean(ewma: Ewma): number | undefined {
  return ewma.weight > 0 ? ewma.sum / ewma.weight : undefined;
}
