import type { Ladder, Rung } from '../core';

/** Bytes per rung of one segment, where known (from the index or from earlier answers). */
export type SegmentBytes = readonly (number | undefined)[];

/** Size of a rung's segment: the real one, or bit rate times duration. */
export function segmentBytes(
  rung: Rung,
  segmentDurationMs: number,
  known: SegmentBytes | undefined,
): number {
  const real = known?.[rung.index];
  if (real !== undefined && Number.isFinite(real) && real > 0) return real;
  return (rung.bitrateBps * segmentDurationMs) / 8000;
}

/** Milliseconds for `bytes` at `rateBps`; Infinity at no rate. */
export function downloadMs(bytes: number, rateBps: number): number {
  if (bytes <= 0) return 0;
  return rateBps > 0 ? (bytes * 8000) / rateBps : Infinity;
}

/** The rung at `index`, or the nearest the ladder has; undefined for an empty ladder. */
export function rungAt(ladder: Ladder, index: number): Rung | undefined {
  const last = ladder.rungs.length - 1;
  const wanted = Number.isFinite(index) ? Math.round(index) : 0;
  return ladder.rungs[Math.min(last, Math.max(0, wanted))];
}
