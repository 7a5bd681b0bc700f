import type { ByteRange } from './types';

/** Sorts and merges ranges; empty and impossible ones are left out. */
export function normalizeRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const sorted = ranges
    .filter(({ start, end }) => Number.isSafeInteger(start) && start >= 0 && end > start)
    .sort((a, b) => a.start - b.start);
  const merged: ByteRange[] = [];
  for (const { start, end } of sorted) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The parts of `range` outside all `holes`, which are sorted and disjoint. */
export function subtractRanges(range: ByteRange, holes: readonly ByteRange[]): ByteRange[] {
  const left: ByteRange[] = [];
  let { start } = range;
  for (const hole of holes) {
    if (hole.end <= start) continue;
    if (hole.start >= range.end) break;
    if (hole.start > start) left.push({ start, end: hole.start });
    start = Math.max(start, hole.end);
  }
  if (start < range.end) left.push({ start, end: range.end });
  return left;
}

export function totalBytes(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

export function overlapBytes(a: ByteRange, b: ByteRange): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** Ranges of the bytes that are in at least `copies` of the given ranges. */
export function coveredTimes(ranges: readonly ByteRange[], copies: number): ByteRange[] {
  const edges = ranges
    .flatMap(({ start, end }) => [
      { at: start, step: 1 },
      { at: end, step: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.step - b.step);
  const covered: ByteRange[] = [];
  let depth = 0;
  let start = 0;
  for (const { at, step } of edges) {
    const before = depth;
    depth += step;
    if (before < copies && depth >= copies) start = at;
    if (before >= copies && depth < copies && at > start) covered.push({ start, end: at });
  }
  return normalizeRanges(covered);
}
