import { describe, expect, it } from 'vitest';
import { makeFilm } from '../film';
import { Viewer } from './viewer';

const RATES_BPS = [1500e3, 2600e3];
const SEGMENT_MS = 2000;

/** Watches a film over a link of constant rate. @returns the viewer, and the time of the last arrival */
function watch(rateBps: number, segments: number): { viewer: Viewer; endMs: number } {
  const viewer = new Viewer(makeFilm(RATES_BPS, SEGMENT_MS, segments));
  let nowMs = 0;
  for (let next = viewer.next(nowMs); next; next = viewer.next(nowMs)) {
    const startMs = next.atMs;
    nowMs = startMs + (next.bytes * 8000) / rateBps;
    viewer.arrived(next.bytes, startMs, nowMs);
  }
  return { viewer, endMs: nowMs };
}

describe('Viewer', () => {
  it('begins at the lowest rung and takes the highest that 0.9 of the throughput carries', () => {
    const { viewer } = watch(4000e3, 10);
    expect(viewer.outcome()).toEqual({
      bitrateBps: (1500e3 + 9 * 2600e3) / 10,
      switches: 1,
      outageMs: 0,
    });
  });

  it('asks while less than 12 s are buffered, then at the pace of the film', () => {
    const { endMs } = watch(100e6, 20);
    expect(endMs / 1000).toBeGreaterThan(26);
    expect(endMs / 1000).toBeLessThan(27);
  });

  it('counts the time without a picture after the first one', () => {
    const { viewer, endMs } = watch(750e3, 10);
    const startUpMs =
      ((makeFilm(RATES_BPS, SEGMENT_MS, 10).video[0]?.bytes[0] ?? 0) * 8000) / 750e3;
    // The last segment arrives when the nine before it have played.
    expect(viewer.outcome().outageMs).toBeCloseTo(endMs - startUpMs - 9 * SEGMENT_MS);
  });

  it('ends after the last segment', () => {
    const { viewer } = watch(3000e3, 3);
    expect(viewer.next(1e6)).toBe(undefined);
  });
});
