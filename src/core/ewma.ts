import { halving } from './halving';

/** Exponentially weighted mean of a rate seen over stretches of unequal length. Plain data. */
export interface Ewma {
  /** Weighted sum; divide by `weight`. */
  sum: number;
  /** 0 (nothing seen) to 1; takes the bias of the zero start away. */
  weight: number;
}

export const emptyEwma: Ewma = { sum: 0, weight: 0 };

/**
 * Adds a value that held for `durationMs`; after `halfLifeMs` it weighs half.
 * Splitting a stretch in two of the same value changes nothing. Bad input leaves the mean as it was.
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

/** The mean; undefined while nothing was seen. */
export function ewmaMean(ewma: Ewma): number | undefined {
  return ewma.weight > 0 ? ewma.sum / ewma.weight : undefined;
}
