/** The last values of a signal, bounded in age and number, oldest first. Plain data. */
export interface SlidingWindow {
  atMs: readonly number[];
  values: readonly number[];
}

export interface WindowBounds {
  /** Older values are dropped. Example: 10_000 ms. */
  maxAgeMs: number;
  /** Upper bound of stored values at any sampling rate. Example: 128. */
  maxCount: number;
}

export const emptyWindow: SlidingWindow = { atMs: [], values: [] };

/** Adds a value; one that is not finite, or older than the newest, is ignored. */
export function pushWindow(
  window: SlidingWindow,
  atMs: number,
  value: number,
  bounds: WindowBounds,
): SlidingWindow {
  const newest = window.atMs.at(-1) ?? -Infinity;
  if (!Number.isFinite(value) || !Number.isFinite(atMs) || atMs < newest) return window;
  const times = [...window.atMs, atMs];
  const values = [...window.values, value];
  let drop = Math.max(0, times.length - Math.max(1, bounds.maxCount));
  while (drop < times.length - 1 && (times[drop] ?? 0) < atMs - bounds.maxAgeMs) drop += 1;
  return { atMs: times.slice(drop), values: values.slice(drop) };
}

/** Smallest value; undefined when empty. */
export function windowMin(window: SlidingWindow): number | undefined {
  return window.values.length > 0 ? Math.min(...window.values) : undefined;
}
