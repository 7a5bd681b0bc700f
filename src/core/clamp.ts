/** A corner of a piecewise linear function. */
export type Corner = readonly [x: number, y: number];

/** `value` kept within [low, high]; NaN becomes `low`. */
export function clamp(value: number, low: number, high: number): number {
  return value >= low ? Math.min(value, high) : low;
}
