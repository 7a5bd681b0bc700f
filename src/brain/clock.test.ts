import { describe, expect, test } from 'vitest';
import { batch } from '../core/testing/samples';
import { createBrain, stepBrain, type BrainState } from '.';
import { atSampleTime, atTime } from './clock';
import type { PathHealth } from './path-health';

const NOW_MS = 1e7;
const stale: PathHealth = {
  pathId: 'wifi',
  state: 'stale',
  sinceMs: NOW_MS,
  bytes: 1000,
  seenMs: NOW_MS,
  behindMs: 0,
  alone: false,
  expectedBps: 0,
  failures: 1,
  recentBps: 0,
  backMs: -1e9,
};
function brain(more: Partial<BrainState>): BrainState {
  return { ...createBrain({ policy: 'model', abr: 'multipath' }), nowMs: NOW_MS, ...more };
}

describe('a clock that jumps', () => {
  test('no path stays closed for a time of another clock', () => {
    const closed = brain({ health: [stale] });
    expect(atTime(closed, NOW_MS + 100).health).toEqual([stale]);
    expect(atTime(closed, 5000).health).toEqual([]);
    expect(atTime(closed, NOW_MS + 3.6e6).health).toEqual([]);
  });

  test.each([NaN, Infinity, -1])('a time that is none (%d) is the one before', (observedMs) => {
    expect(atTime(brain({}), observedMs).nowMs).toBe(NOW_MS);
    expect(atTime(brain({ nowMs: undefined }), observedMs).nowMs).toBe(0);
  });

  test('policies receive samples of the new time', () => {
    const { state } = stepBrain(brain({}), { type: 'samples', batch: batch(NOW_MS, []) });
    const shown = { ...state, shownMs: NOW_MS };
    expect(atSampleTime(shown, NOW_MS + 100).shownMs).toBe(NOW_MS);
    expect(atSampleTime(shown, 5000).shownMs).toBeUndefined();
  });
});
