import { describe, expect, test } from 'vitest';
import { createPathEstimator, type PathEstimatorState, type PathTrack } from '../paths';
import { unknownRate } from '../paths/path-rate';
import { deadConfig, followSilence, outReason, type Silence } from './dead';

type Facts = Pick<PathTrack, 'state' | 'beyondBytes' | 'totalBytes'>;

/** An estimator that knows just what these two modules look at. */
function estimator(paths: Record<string, Facts>, heldBytes = 0): PathEstimatorState {
  const tracks = Object.entries(paths).map(([id, facts]): [string, PathTrack] => [
    id,
    { ...({} as PathTrack), rcvRttMs: 50, rate: { ...unknownRate, floorBps: 2e6 }, ...facts },
  ]);
  return { ...createPathEstimator(), heldBytes, paths: new Map(tracks) };
}

const waiting = { state: 'active', beyondBytes: 50_000 } as const;
const silent = { state: 'active', beyondBytes: 0, totalBytes: 1000 } as const;

/** Follows the same facts from one instant to another, every 100 ms; `lte` keeps bringing bytes that are held. */
function follow(from: Silence[], wifi: Facts, startMs: number, endMs: number): Silence[] {
  let known = from;
  for (let nowMs = startMs; nowMs <= endMs; nowMs += 100) {
    known = followSilence(
      known,
      estimator({ wifi, lte: { ...waiting, totalBytes: nowMs } }),
      nowMs,
      true,
    );
  }
  return known;
}

describe('followSilence', () => {
  test('takes out a path that owes what others wait for, after a time-out and two round trips', () => {
    expect(outReason(follow([], silent, 1000, 2200), 'wifi')).toBeUndefined();
    const out = follow([], silent, 1000, 2500);
    expect(outReason(out, 'wifi')).toMatch(/^wifi has gone silent/);
    expect(outReason(out, 'lte')).toBeUndefined();
  });

  test('leaves alone who is silent while nobody waits, or while nothing was asked', () => {
    const calm = estimator({
      wifi: silent,
      lte: { state: 'active', beyondBytes: 0, totalBytes: 5 },
    });
    const idle = estimator({ wifi: silent, lte: { ...waiting, totalBytes: 5 } });
    let known: Silence[] = [];
    for (let nowMs = 0; nowMs < 5000; nowMs += 100) known = followSilence(known, calm, nowMs, true);
    for (let nowMs = 5000; nowMs < 9000; nowMs += 100) {
      known = followSilence(known, idle, nowMs, false);
    }
    expect(outReason(known, 'wifi')).toBeUndefined();
  });

  test('accuses the one that owes, not the one whose bytes lie beyond the missing one', () => {
    const wifi = { ...silent, beyondBytes: 64_000 } as const;
    const lte = { ...silent, beyondBytes: 1420 } as const;
    let known: Silence[] = [];
    for (let nowMs = 1000; nowMs <= 2500; nowMs += 100) {
      known = followSilence(known, estimator({ wifi, lte }), nowMs, true);
    }
    expect(outReason(known, 'wifi')).toBeUndefined();
    expect(outReason(known, 'lte')).toMatch(/^lte has gone silent/);
  });

  /** Two seconds and a half: `wifi` brings bytes of which ever more are held, `lte` so much of each time. */
  function trickle(bytes: number, heldBytes: number): Silence[] {
    let known: Silence[] = [];
    for (let i = 0; i <= 25; i += 1) {
      const lte = { state: 'active', beyondBytes: 0, totalBytes: 1000 + bytes * i } as const;
      const wifi = { ...lte, totalBytes: 25_000 * i };
      known = followSilence(known, estimator({ wifi, lte }, heldBytes * i), 1000 + 100 * i, true);
    }
    return known;
  }

  test('takes out a path that trickles while more and more waits for it', () => {
    expect(outReason(trickle(250, 10_000), 'lte')).toMatch(/^lte has gone silent/);
    expect(outReason(trickle(250, 10_000), 'wifi')).toBeUndefined();
  });

  test('leaves alone who is left out, who only is slower than it was, and where all are late', () => {
    expect(outReason(trickle(250, 0), 'lte')).toBeUndefined();
    expect(outReason(trickle(5000, 10_000), 'lte')).toBeUndefined();
    let known: Silence[] = [];
    for (let i = 0; i <= 25; i += 1) {
      const both = estimator({ wifi: silent, lte: silent }, 10_000 * i);
      known = followSilence(known, both, 1000 + 100 * i, true);
    }
    expect(known.map(({ outUntilMs }) => outUntilMs)).toEqual([undefined, undefined]);
  });

  test('takes nobody out for a tail that came twice', () => {
    const lte = { ...silent, beyondBytes: 20_000 } as const;
    let known: Silence[] = [];
    for (let nowMs = 1000; nowMs <= 5000; nowMs += 100) {
      known = followSilence(known, estimator({ wifi: silent, lte }), nowMs, true);
    }
    expect(outReason(known, 'wifi')).toBeUndefined();
  });

  test('never takes out the last path', () => {
    let known: Silence[] = [];
    const alone = estimator({
      wifi: silent,
      lte: { state: 'lost', beyondBytes: 50_000, totalBytes: 5 },
    });
    for (let nowMs = 0; nowMs < 5000; nowMs += 100)
      known = followSilence(known, alone, nowMs, true);
    expect(outReason(known, 'wifi')).toBeUndefined();
  });

  test('tries again within 5 s each time, and trusts the first byte', () => {
    const lost = { ...silent, state: 'lost' } as const;
    let known = follow([], silent, 1000, 2500);
    let outMs = 0;
    let longestMs = 0;
    for (let nowMs = 2600; nowMs < 40_000; nowMs += 100) {
      known = follow(known, lost, nowMs, nowMs);
      outMs = outReason(known, 'wifi') === undefined ? 0 : outMs + 100;
      longestMs = Math.max(longestMs, outMs);
    }
    expect(longestMs).toBeGreaterThanOrEqual(deadConfig.retryMs);
    expect(longestMs).toBeLessThanOrEqual(5000);
    known = follow(known, { state: 'active', beyondBytes: 0, totalBytes: 2000 }, 40_000, 40_000);
    expect(known.find(({ pathId }) => pathId === 'wifi')).toMatchObject({
      failures: 0,
      outUntilMs: undefined,
    });
  });
});
