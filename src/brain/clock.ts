/**
 * What the brain does about clocks that jump: what it learned stays; what waited for a time, or was seen to last for one,
 * begins anew. No path is taken out because of a jump.
 */
import { isSetBack } from '../core';
import { guardConfig } from './guard';
import type { BrainState } from './state';

/** Decisions are asked for every 100 ms: a longer step was the clock's, or nobody asked. Example: 5 s. */
const jumpMs = 5000;

/** Takes the time of an observation; one that is none counts as the one before. */
export function atTime(
  state: BrainState,
  observedMs: number,
): { state: BrainState; nowMs: number } {
  const { nowMs: lastMs } = state;
  const isTime = Number.isFinite(observedMs) && observedMs >= 0;
  const nowMs = isTime ? observedMs : (lastMs ?? 0);
  if (lastMs === undefined || Math.abs(nowMs - lastMs) <= jumpMs) {
    return { state: { ...state, nowMs }, nowMs };
  }
  return { state: { ...afterJump(state, nowMs), nowMs }, nowMs };
}

/** Samples of a new time: policies have been shown none of it. */
export function atSampleTime(state: BrainState, nowMs: number): BrainState {
  if (!isSetBack(state.estimator.ledger, nowMs)) return state;
  const { guard } = state;
  return {
    ...state,
    shownMs: undefined,
    guard: { ...guard, slow: 0, sinceMs: Math.min(guard.sinceMs, nowMs) },
  };
}

function afterJump(state: BrainState, nowMs: number): BrainState {
  const { guard } = state;
  return {
    ...state,
    silence: [],
    guard: {
      ...guard,
      slow: 0,
      sinceMs: Math.min(guard.sinceMs, nowMs),
      fallback:
        guard.fallback === null || nowMs > (state.nowMs ?? 0)
          ? guard.fallback
          : {
              ...guard.fallback,
              untilMs: Math.min(guard.fallback.untilMs, nowMs + guardConfig.holdMs),
            },
    },
    reliability: [],
  };
}
