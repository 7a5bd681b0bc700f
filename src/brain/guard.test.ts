import { expect, test } from 'vitest';
import { createPathEstimator, type PathEstimatorState } from '../paths';
import { idleGuard, judgeSegment, type GuardState } from './guard';
import { measuredTrack } from './testing/track';

const estimator: PathEstimatorState = {
  ...createPathEstimator(),
  paths: new Map([
    ['lte', measuredTrack(5e6, 0)],
    ['wifi', measuredTrack(1e6, 0)],
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
