import { isSetBack } from '../core';
import { dropRun } from './path-rate';
import type { PathEstimatorState, PathTrack } from './state';

/**
 * The estimator after a clock that was set back: what was learned stays, what happened in times that are not there any
 * more happened now. Unchanged where the clock goes on.
 */
export function afterSetBack(state: PathEstimatorState, nowMs: number): PathEstimatorState {
  if (!isSetBack(state.ledger, nowMs)) return state;
  const past = (ms: number): number => Math.min(ms, nowMs);
  const pastOr = (ms: number | undefined): number | undefined =>
    ms === undefined ? undefined : past(ms);
  const paths = [...state.paths].map(([id, track]): [string, PathTrack] => [
    id,
    {
      ...track,
      seenMs: past(track.seenMs),
      lostAtMs: pastOr(track.lostAtMs),
      rate: { ...dropRun(track.rate), measuredAtMs: pastOr(track.rate.measuredAtMs) },
    },
  ]);
  return {
    ...state,
    paths: new Map(paths),
    openRequests: state.openRequests.map((open) => ({ ...open, startMs: past(open.startMs) })),
    finished: state.finished.filter(({ endMs }) => endMs <= nowMs),
    efficiency: new Map(
      [...state.efficiency].map(([key, set]) => [key, { ...set, atMs: past(set.atMs) }]),
    ),
    setWindow: undefined,
    requestRate: { ...state.requestRate, lastMs: pastOr(state.requestRate.lastMs) },
  };
}
