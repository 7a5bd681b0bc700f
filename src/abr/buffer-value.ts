import type { Corner } from '../core';

/**
 * Integral of a piecewise linear function from 0 to a value, flat after its last corner.
 * @param corners sorted, the first at 0
 */
export function bufferValue(corners: readonly Corner[], to: number): number {
  const flat: Corner = [Infinity, corners.at(-1)?.[1] ?? 0];
  let [fromX, fromY] = corners[0] ?? [0, 0];
  let sum = 0;
  for (const [toX, toY] of [...corners.slice(1), flat]) {
    const endX = Math.min(to, toX);
    if (endX <= fromX) break;
    const rise = ((toY - fromY) * (endX - fromX)) / (toX - fromX);
    const endY = to < toX ? fromY + rise : toY;
    sum += (endX - fromX) * ((fromY + endY) / 2);
    [fromX, fromY] = [toX, toY];
  }
  return sum;
}
