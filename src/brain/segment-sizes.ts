import { clamp, naturalLog } from '../core';

export const sizeConfig = {
  /** Before any size is known: 3 s of Big Buck Bunny at one rung vary by 0.18. */
  first: 0.2,
  /** The first spread counts as this many segments. */
  firstWeight: 3,
  /** Weight that a size keeps with each new one: the last twenty count. */
  keep: 0.95,
  /** Ratios beyond this are errors of the manifest or of the answer. */
  maxRatio: 4,
} as const;

/** Sizes of segments over those that the manifest states (bit rate times duration): logarithms. */
export interface SegmentSizes {
  /** Newer sizes weigh more. */
  sum: number;
  squares: number;
  weight: number;
}

export const noSizes: SegmentSizes = {
  sum: 0,
  squares: sizeConfig.firstWeight * sizeConfig.first * sizeConfig.first,
  weight: sizeConfig.firstWeight,
};

/** Adds a segment of which only the stated size was known. Ignores a ratio that is not a positive number. */
export function addSize(sizes: SegmentSizes, bytes: number, statedBytes: number): SegmentSizes {
  const { keep, maxRatio } = sizeConfig;
  const ratio = bytes / statedBytes;
  if (!(ratio > 0) || !(statedBytes > 0)) return sizes;
  const log = naturalLog(clamp(ratio, 1 / maxRatio, maxRatio));
  return {
    sum: sizes.sum * keep + log,
    squares: sizes.squares * keep + log * log,
    weight: sizes.weight * keep + 1,
  };
}

/**
 * Standard deviation of a size's logarithm. The mean is not used: a mean of the last sizes predicts the next one worse
 * than the stated size (simulated: docs/experiments/ablations.md).
 */
export function sizeSpread({ sum, squares, weight }: SegmentSizes): number {
  const mean = sum / weight;
  return Math.sqrt(Math.max(0, squares / weight - mean * mean));
}
