import { describe, expect, test } from 'vitest';
import { createPathEstimator, type PathEstimatorState, type PathTrack } from '../paths';
import {
  followReliability,
  isExpectedBack,
  reliabilityConfig,
  reliabilityOf,
  type Reliability,
} from './reliability';

/** An estimator that knows just what this module looks at. */
function estimator(state: PathTrack['state']): PathEstimatorState {
  const track = { ...({} as PathTrack), state };
  return { ...createPathEstimator(), paths: new Map([['wifi', track]]) };
}

/** Follows the path every 100 ms. @param isThere at a time in ms */
function follow(
  isThere: (nowMs: number) => boolean,
  endMs: number,
  active: readonly string[] = ['lte', 'wifi'],
): Reliability[] {
  let known: Reliability[] = [];
  for (let nowMs = 0; nowMs <= endMs; nowMs += 100) {
    known = followReliability(known, estimator(isThere(nowMs) ? 'active' : 'lost'), nowMs, active);
  }
  return known;
}

/** There for 3 s, gone for 2 s. */
const flapping = (nowMs: number): boolean => nowMs % 5000 < 3000;

describe('reliabilityOf', () => {
  test('a path that is always there counts in full, one that flaps for its share of the time', () => {
    expect(
      reliabilityOf(
        follow(() => true, 120_000),
        'wifi',
      ),
    ).toBe(1);
    const share = reliabilityOf(follow(flapping, 120_000), 'wifi');
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.75);
    expect(reliabilityOf([], 'unknown')).toBe(1);
  });
});

describe('isExpectedBack', () => {
  test('waits for a path that came back each time, and not much longer than it ever took', () => {
    const known = follow(flapping, 23_500);
    expect(isExpectedBack(known, 'wifi', 23_500)).toBe(true);
    // Gone since 23 s; 2 s were its longest absence.
    expect(isExpectedBack(known, 'wifi', 23_000 + 2000 * reliabilityConfig.patience + 200)).toBe(
      false,
    );
  });

  test('does not wait for one that never came back, that is there, or that nobody knows', () => {
    const gone = follow((nowMs) => nowMs < 3000, 4000);
    expect(isExpectedBack(gone, 'wifi', 4000)).toBe(false);
    expect(isExpectedBack(follow(flapping, 22_000), 'wifi', 22_000)).toBe(false);
    expect(isExpectedBack([], 'wifi', 0)).toBe(false);
  });

  test('takes no first handshake for an absence that ended', () => {
    let known: Reliability[] = [];
    for (let nowMs = 0; nowMs <= 6000; nowMs += 100) {
      const state = nowMs < 3000 ? 'connecting' : nowMs < 5000 ? 'active' : 'lost';
      known = followReliability(known, estimator(state), nowMs, ['lte', 'wifi']);
    }
    expect(isExpectedBack(known, 'wifi', 6000)).toBe(false);
  });

  test('does not add to the others what was not used beside them', () => {
    const known = follow(flapping, 23_500, ['wifi']);
    expect(isExpectedBack(known, 'wifi', 23_500)).toBe(false);
  });
});
