import { describe, expect, test } from 'vitest';
import { batch } from '../core/testing/samples';
import { createBrain, stepBrain, type BrainState } from '.';
import { atSampleTime, atTime } from './clock';
import { deadConfig, outReason, type Silence } from './dead';
import { guardConfig } from './guard';

const nowMs = 1e7;
const silent = (more: Partial<Silence>): Silence => ({
  pathId: 'wifi',
  bytes: 1000,
  sinceMs: undefined,
  outUntilMs: undefined,
  triedAtMs: undefined,
  failures: 0,
  seenMs: nowMs,
  late: undefined,
  ...more,
});
function brain(more: Partial<BrainState>): BrainState {
  return { ...createBrain({ policy: 'model', abr: 'multipath' }), nowMs, ...more };
}

describe('a clock that jumps', () => {
  test('back: who is out for a silence of that time is let in again', () => {
    const out = brain({ silence: [silent({ outUntilMs: nowMs + deadConfig.retryMs })] });
    const later = atTime(out, nowMs + 100).state;
    expect(outReason(later.silence, 'wifi')).toMatch(/silent/);
    expect(outReason(atTime(out, 5000).state.silence, 'wifi')).toBeUndefined();
  });

  test('forwards: a silence that just began has not lasted an hour', () => {
    const begun = brain({ silence: [silent({ sinceMs: nowMs - 100 })] });
    expect(atTime(begun, nowMs + 100).state.silence[0]?.sinceMs).toBe(nowMs - 100);
    expect(atTime(begun, nowMs + 3.6e6).state.silence).toEqual([]);
  });

  test('back: a path goes on alone no longer than it may', () => {
    const { guard } = brain({});
    const fallback = { pathId: 'wifi', untilMs: nowMs + 5000, reason: 'too slow' };
    const held = brain({ guard: { ...guard, sinceMs: nowMs, fallback } });
    const after = atTime(held, 5000).state.guard;
    expect(after.fallback?.untilMs).toBeLessThanOrEqual(5000 + guardConfig.holdMs);
    expect(after.sinceMs).toBe(5000);
  });

  test.each([NaN, Infinity, -1])('a time that is none (%d) is the one before', (observedMs) => {
    expect(atTime(brain({}), observedMs)).toMatchObject({ nowMs, state: { nowMs } });
    expect(atTime(brain({ nowMs: undefined }), observedMs).nowMs).toBe(0);
  });

  test('samples of a new time are shown to policies', () => {
    const { state } = stepBrain(brain({}), { type: 'samples', batch: batch(nowMs, []) });
    const shown = { ...state, shownMs: nowMs };
    expect(atSampleTime(shown, nowMs + 100).shownMs).toBe(nowMs);
    expect(atSampleTime(shown, 5000).shownMs).toBeUndefined();
  });
});
