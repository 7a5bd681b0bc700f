/**
 * What the brain does about clocks that jump: what it learned stays; what waited for a time, or was seen to last for one,
 * begins anew. No path is taken out because of a jump.
 */
import { isSetBack } from '../core';
import { guardConfig, type GuardState } from './guard';
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
  return { ...state, shownMs: undefined, guard: beginAnew(state.guard, nowMs) };
}

function afterJump(state: BrainState, nowMs: number): BrainState {
  const guard = beginAnew(state.guard, nowMs);
  const { fallback } = guard;
  const isBack = nowMs <= (state.nowMs ?? 0);
  if (fallback === null || !isBack) return { ...state, silence: [], reliability: [], guard };
  const untilMs = Math.min(fallback.untilMs, nowMs + guardConfig.holdMs);
  const held = { ...guard, fallback: { ...fallback, untilMs } };
  return { ...state, silence: [], reliability: [], guard: held };
}

/** What it compares was measured in another time. */
function beginAnew(guard: GuardState, nowMs: number): GuardState {
  return { ...guard, slow: 0, sinceMs: Math.min(guard.sinceMs, nowMs) };
}
