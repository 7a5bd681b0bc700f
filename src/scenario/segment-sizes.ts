import { createRandom, drawNormal } from '../core';

/** Spread of a film's segment sizes around their mean. */
const SIGMA = 0.3;
/** Bounds of a segment's size relative to the mean. */
const MIN_FACTOR = 0.4;
const MAX_FACTOR = 2.2;
/** The mean is kept over this many segments, so that longer media begin with the same sizes. */
const BLOCK = 30;
const SEED = 20_260_101;

/** Log-normal sizes relative to the mean, equal for every ladder. */
function block(index: number): number[] {
  const random = createRandom(SEED + index);
  const drawn = Array.from({ length: BLOCK }, () => {
    const size = Math.exp(SIGMA * drawNormal(random));
    return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, size));
  });
  const mean = drawn.reduce((sum, share) => sum + share, 0) / BLOCK;
  return drawn.map((share) => share / mean);
}

/**
 * Bytes of each segment of a rung.
 * @param sizes `vbr`: about +-30 % around the rung's rate, which is the mean of every 30 segments. All rungs
 * have the same busy segments. Absent: the rate in every segment
 */
export function segmentBytes(
  bitrateBps: number,
  segmentMs: number,
  count: number,
  sizes?: 'vbr',
): number[] {
  const mean = (bitrateBps / 8) * (segmentMs / 1000);
  const shares = Array.from({ length: Math.ceil(count / BLOCK) }, (_, index) =>
    block(index),
  ).flat();
  return Array.from({ length: count }, (_, index) =>
    Math.round(mean * (sizes === undefined ? 1 : (shares[index] ?? 1))),
  );
}
