import { expect, test } from 'vitest';
import { createPathEstimator, type PathEstimatorState, type PathTrack } from '../paths';
import { unknownRate } from '../paths/path-rate';
import { idleGuard, judgeSegment, type GuardState } from './guard';

/** A path that was measured for long enough to be sure. */
const track = (bps: number): PathTrack => ({
  ...({} as PathTrack),
  state: 'active',
  rcvRttMs: 40,
  unusedMs: 0,
  quietMs: 0,
  rate: {
    ...unknownRate,
    fast: { sum: bps, weight: 1 },
    slow: { sum: bps, weight: 1 },
    countedMs: 10_000,
    measuredAtMs: 0,
  },
});
const estimator: PathEstimatorState = {
  ...createPathEstimator(),
  paths: new Map([
    ['lte', track(5e6)],
    ['wifi', track(1e6)],
  ]),
};

/** Three segments of 2 Mbit/s, over both. */
function judge(isCostly: (pathId: string) => boolean): GuardState {
  let guard: GuardState = { ...idleGuard, active: ['lte', 'wifi'] };
  for (let i = 0; i < 3; i += 1) {
    const request = { requestId: i, startMs: i * 2000, endMs: i * 2000 + 2000, bytes: 500_000 };
    guard = judgeSegment(guard, estimator, { ...request, outcome: 'ok' }, isCostly);
  }
  return guard;
}

test('segments that came slower than over the best path alone: that one goes on alone', () => {
  expect(judge(() => false).fallback).toMatchObject({ pathId: 'lte' });
});

test('a network that costs does not carry everything because it is faster', () => {
  expect(judge((pathId) => pathId === 'lte').fallback).toBeNull();
});
