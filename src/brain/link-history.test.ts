import { describe, expect, test } from 'vitest';
import type { Forecast, PathState } from '../core';
import { createPathEstimator, type PathEstimatorState } from '../estimate';
import { followLinks, spellEnd, type LinkHistory } from './link-history';
import { measuredTrack } from './testing/track';

const SEGMENT_MS = 2000;

const estimator = (wifi: { state: PathState; withdrawn: boolean }): PathEstimatorState => ({
  ...createPathEstimator(),
  paths: new Map([
    ['wifi', measuredTrack(4e6, 0, wifi)],
    ['lte', measuredTrack(2e6, 0)],
  ]),
});
const here = estimator({ state: 'active', withdrawn: false });
const gone = estimator({ state: 'lost', withdrawn: true });
const joining = estimator({ state: 'lost', withdrawn: false });

/** Wi-Fi goes at `fromMs`, and has a subflow again at `toMs`, a second after its link. */
function lose(known: LinkHistory[], fromMs: number, toMs: number): LinkHistory[] {
  let next = followLinks(known, here, fromMs - 100);
  for (let nowMs = fromMs; nowMs < toMs; nowMs += 100) {
    next = followLinks(next, nowMs < toMs - 1000 ? gone : joining, nowMs);
  }
  return followLinks(next, here, toMs);
}

const forecast = (ids: readonly string[]): Forecast => ({
  ...{ rateBps: 6e6, safeRateBps: 6e6, confidence: 1, basis: 'paths' },
  paths: [
    { pathId: 'wifi', rateBps: 4e6, safeRateBps: 4e6, usable: ids.includes('wifi') },
    { pathId: 'lte', rateBps: 2e6, safeRateBps: 2e6, usable: ids.includes('lte') },
  ],
});
const both = forecast(['wifi', 'lte']);
const lte = forecast(['lte']);

describe('the history of a link', () => {
  test('expects nothing of a path that was never lost', () => {
    const known = followLinks(followLinks([], here, 0), here, 100);
    expect(spellEnd(known, both, 'up', SEGMENT_MS)?.chance).toBe(0);
    expect(spellEnd(known, both, 'away', SEGMENT_MS)).toBeUndefined();
  });

  test('expects no return of a path that never returned', () => {
    let known = followLinks([], here, 0);
    for (let nowMs = 100; nowMs < 5000; nowMs += 100) known = followLinks(known, gone, nowMs);
    expect(spellEnd(known, lte, 'away', SEGMENT_MS)?.chance).toBe(0);
  });

  test('expects a path back with its rate, sooner the more often it returned', () => {
    const once = lose([], 10_000, 12_000);
    const twice = lose(once, 15_000, 17_000);
    const away = (known: LinkHistory[]) =>
      spellEnd(followLinks(known, gone, 20_000), lte, 'away', SEGMENT_MS);
    expect(away(once)?.rateBps).toBeCloseTo(4e6);
    // One return in 2 s and ten more: 1 / 12 a second.
    expect(away(once)?.chance).toBeCloseTo(1 - Math.exp(-2 / 12), 6);
    expect(away(twice)?.chance).toBeCloseTo(1 - Math.exp(-4 / 14), 6);
  });

  test('expects it less the longer it is away', () => {
    let known = lose([], 10_000, 12_000);
    const chances = Array.from({ length: 60 }, (_, index) => {
      known = followLinks(known, gone, 13_000 + 500 * index);
      return spellEnd(known, lte, 'away', SEGMENT_MS)?.chance ?? 0;
    });
    expect(chances.at(-1)).toBeLessThan((chances[0] ?? 0) / 2);
  });

  test('a link that is up without a subflow is still away', () => {
    const known = lose([], 10_000, 12_000).find(({ pathId }) => pathId === 'wifi');
    expect(known).toMatchObject({ up: { ended: 1 }, away: { ended: 1, ms: 2000 } });
  });

  test('expects a loss of the fastest path in use only', () => {
    const known = lose([], 10_000, 12_000);
    const upMs = known.find(({ pathId }) => pathId === 'wifi')?.up.ms ?? 0;
    expect(spellEnd(known, both, 'up', SEGMENT_MS)?.chance).toBeCloseTo(
      1 - Math.exp(-SEGMENT_MS / (20_000 + upMs)),
      6,
    );
    expect(spellEnd(known, lte, 'up', SEGMENT_MS)?.chance).toBe(0);
  });

  test('a gap between two looks counts as a second', () => {
    const [wifi] = followLinks(followLinks([], here, 0), here, 3_600_000);
    expect(wifi?.up.ms).toBe(1000);
  });

  test('a clock that jumps back counts as no time', () => {
    const [wifi] = followLinks(followLinks([], here, 5000), here, 0);
    expect(wifi).toMatchObject({ up: { ms: 0, ended: 0 } });
  });
});
