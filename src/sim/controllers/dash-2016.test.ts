import { describe, expect, it } from 'vitest';
import type { ReferenceObservation } from '../../abr';
import { Dash2016 } from './dash-2016';

const SEGMENT_MS = 1000;
const ladder: ReferenceObservation['ladder'] = {
  mediaType: 'video',
  rungs: [100, 200, 400, 808, 1600].map((kbps, index) => ({
    index,
    representationId: String(index),
    bitrateBps: kbps * 1000,
  })),
};

const seen = (change: Partial<ReferenceObservation> = {}): ReferenceObservation => ({
  ladder,
  currentRung: 3,
  bufferMs: 0,
  bufferTargetMs: 12_000,
  segmentMs: SEGMENT_MS,
  throughputBps: [2e6, 1e6, 3e6, 2e6],
  nextBytes: [],
  ...change,
});

/** Segment 7 at 808 kbit/s arrives at this rate from time 0 on. @returns the first rung that replaces it, and when */
function arrive(
  rule: Dash2016,
  rateBps: number,
  { segment = 7, currentRung = 3, untilMs = 3000 } = {},
): { rung: number; atMs: number } | undefined {
  const bytesTotal = ((ladder.rungs[currentRung]?.bitrateBps ?? 0) * SEGMENT_MS) / 8000;
  for (let atMs = 50; atMs <= untilMs; atMs += 50) {
    const bytesLoaded = Math.min(bytesTotal, (rateBps * atMs) / 8000);
    const arriving = { segment, firstByteMs: 0, bytesLoaded, bytesTotal };
    const rung = rule.abandon(arriving, seen({ currentRung }), atMs);
    if (rung !== undefined) return { rung, atMs };
  }
  return undefined;
}

describe('dash.js of 2016', () => {
  it('begins with the highest rung below 1 Mbit/s', () => {
    expect(new Dash2016().choose(seen({ throughputBps: [], currentRung: -1 }), 0)).toBe(3);
  });

  it('takes nine tenths of the mean of three segments', () => {
    expect(new Dash2016().choose(seen(), 0)).toBe(4);
    expect(new Dash2016().choose(seen({ throughputBps: [9e6, 1e6, 1e6, 0.6e6] }), 0)).toBe(2);
  });

  it('gives up a segment that would take 1.8 times its length, once 0.5 s have passed', () => {
    // 808 kbit at 400 kbit/s: 2.0 s; nine tenths of the rate fit the rung of 200.
    expect(arrive(new Dash2016(), 400e3)).toEqual({ rung: 1, atMs: 550 });
    // 1.6 s.
    expect(arrive(new Dash2016(), 500e3)).toBeUndefined();
  });

  it('keeps the lowest rung, and a segment of which less is left than the other one needs', () => {
    expect(arrive(new Dash2016(), 10e3, { currentRung: 0 })).toBeUndefined();
    const late = { segment: 7, firstByteMs: 0, bytesTotal: 101_000 };
    const rule = new Dash2016();
    const answers = Array.from({ length: 20 }, (_, index) =>
      rule.abandon({ ...late, bytesLoaded: 90_000 + index }, seen(), 3000 + 50 * index),
    );
    expect(new Set(answers)).toEqual(new Set([undefined]));
  });

  it('needs five reports of progress: a path that stands still gives none', () => {
    const rule = new Dash2016();
    const stuck = { segment: 7, firstByteMs: 0, bytesLoaded: 1000, bytesTotal: 101_000 };
    for (let atMs = 50; atMs <= 3000; atMs += 50)
      expect(rule.abandon(stuck, seen(), atMs)).toBeUndefined();
  });

  it('gives each segment up once, and then keeps the rung for 10 s', () => {
    const rule = new Dash2016();
    expect(arrive(rule, 400e3)?.atMs).toBe(550);
    expect(arrive(rule, 50e3, { currentRung: 1 })).toBeUndefined();
    const fast = seen({ currentRung: 1, throughputBps: [9e6, 9e6, 9e6] });
    expect(rule.choose(fast, 10_500)).toBe(1);
    expect(rule.choose(fast, 10_600)).toBe(4);
    expect(arrive(rule, 400e3, { segment: 8 })?.atMs).toBe(550);
  });
});
