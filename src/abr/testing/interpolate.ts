import type { Corner } from '../../core';

/** Value at `x` of the line through `corners` (sorted by x); flat outside them. */
export function interpolate(corners: readonly Corner[], x: number): number {
  const first = corners[0];
  if (!first) return NaN;
  if (!(x > first[0])) return first[1];
  let [leftX, leftY] = first;
  for (let i = 1; i < corners.length; i += 1) {
    const [rightX, rightY] = corners[i] ?? first;
    if (x < rightX) return leftY + ((rightY - leftY) * (x - leftX)) / (rightX - leftX);
    leftX = rightX;
    leftY = rightY;
  }
  return leftY;
}
