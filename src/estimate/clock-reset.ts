import { isClockReset } from '../core';
import { dropRun } from './path-rate';
import type { PathEstimatorState, PathTrack } from './state';

/**
 * Resets the estimator's times after the clock was set back. Learned values stay. Events with times in the
 * future count as present. Without a clock reset nothing changes.
 */
export function afterClockReset(state: PathEstimatorState, nowMs: number): PathEstimatorState {
  if (!isClockReset(state.ledger, nowMs)) return state;
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
    openRequests: state.openRequests.map(({ requestId, startMs }) => ({
      requestId,
      startMs: past(startMs),
    })),
    finished: state.finished.filter(({ endMs }) => endMs <= nowMs),
    requestRate: {
      ...state.requestRate,
      measuredAtMs: pastOr(state.requestRate.measuredAtMs),
    },
  };
}
