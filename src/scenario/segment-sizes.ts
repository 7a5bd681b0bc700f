import { createRandom } from '../core';

/** Spread of a film's segment sizes around their mean. */
const SIGMA = 0.3;
/** Bounds of a segment's size relative to the mean. */
const LEAST = 0.4;
const MOST = 2.2;
/** The mean is kept over this many segments, so that longer media begin with the same sizes. */
const BLOCK = 30;
const SEED = 20_260_101;

/** Log-normal sizes relative to the mean, equal for every ladder (Box and Muller, 1958). */
function block(index: number): number[] {
  const random = createRandom(SEED + index);
  const drawn = Array.from({ length: BLOCK }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const normal = radius * Math.cos(2 * Math.PI * random());
    return Math.min(MOST, Math.max(LEAST, Math.exp(SIGMA * normal)));
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
