/**
 * The brain's reaction to a clock jump. Learned values stay. Waiting times and durations start again. No path
 * is taken out because of a jump.
 */
import { isClockReset } from '../core';
import { forgetExpected } from './forecast-errors';
import type { BrainState } from './state';

/** Decisions come every 100 ms. A longer step is a clock jump, or nobody requested a decision. Example: 5 s. */
const JUMP_MS = 5000;

/** Takes the time of an observation. An invalid time counts as the previous one. */
export function atTime(state: BrainState, observedMs: number): BrainState & { nowMs: number } {
  const { nowMs: lastMs } = state;
  const isTime = Number.isFinite(observedMs) && observedMs >= 0;
  const nowMs = isTime ? observedMs : (lastMs ?? 0);
  if (lastMs === undefined || Math.abs(nowMs - lastMs) <= JUMP_MS) {
    return { ...state, nowMs };
  }
  const errors = forgetExpected(state.errors);
  return { ...state, health: [], waitingSinceMs: undefined, errors, nowMs };
}

/** Samples of the new time: policies have received none of it. */
export function atSampleTime(state: BrainState, nowMs: number): BrainState {
  if (!isClockReset(state.estimator.ledger, nowMs)) return state;
  return { ...state, shownMs: undefined, errors: forgetExpected(state.errors) };
}
