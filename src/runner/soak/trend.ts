import { median } from '../../core';

export interface TrendPoint {
  atMs: number;
  value: number;
}

/** A slope an hour with its 95 % interval. */
export interface Trend {
  perHour: number;
  low: number;
  high: number;
}

const HOUR_MS = 3_600_000;
/** The normal distribution's two-sided 95 % quantile. */
const Z_95 = 1.96;

/**
 * The least value of each window. A garbage collector leaves a saw-tooth; its lower edge is what is in use.
 */
export function windowFloors(points: readonly TrendPoint[], windowMs: number): TrendPoint[] {
  const floors = new Map<number, TrendPoint>();
  const startMs = points[0]?.atMs ?? 0;
  for (const point of points) {
    const index = Math.floor((point.atMs - startMs) / windowMs);
    const least = floors.get(index);
    if (least === undefined || point.value < least.value) floors.set(index, point);
  }
  return [...floors.values()];
}

/**
 * The median of all pairwise slopes, which single jumps do not move (Theil 1950), with the interval of Sen
 * (1968, section 4). Undefined for fewer than three points.
 */
export function theilSen(points: readonly TrendPoint[]): Trend | undefined {
  const count = points.length;
  if (count < 3) return undefined;
  const slopes = points
    .flatMap((from, index) =>
      points.slice(index + 1).map((to) => (to.value - from.value) / (to.atMs - from.atMs)),
    )
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const spread = Z_95 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const at = (index: number): number =>
    (slopes[Math.max(0, Math.min(slopes.length - 1, index))] ?? 0) * HOUR_MS;
  return {
    perHour: (median(slopes) ?? 0) * HOUR_MS,
    low: at(Math.floor((slopes.length - spread) / 2)),
    high: at(Math.ceil((slopes.length + spread) / 2)),
  };
}
