import { createPathEstimator, type PathEstimatorState, type PathTrack } from '../../estimate';
import { unknownRate } from '../../estimate/path-rate';
import { followHealth, type PathHealth } from '../path-health';

/** The facts of a path that a test gives. */
export type Facts = Pick<PathTrack, 'state' | 'blockedBytes' | 'totalBytes'> & Partial<PathTrack>;

/** An estimator with only the fields that these two modules read. */
export function estimator(paths: Record<string, Facts>): PathEstimatorState {
  const tracks = Object.entries(paths).map(([id, facts]): [string, PathTrack] => [
    id,
    {
      ...({} as PathTrack),
      minRcvRttMs: 50,
      silentMs: 0,
      rate: { ...unknownRate, floorBps: 2e6 },
      ...facts,
    },
  ]);
  return { ...createPathEstimator(), paths: new Map(tracks) };
}

export const waiting = { state: 'active', blockedBytes: 50_000 } as const;
export const silent = { state: 'active', blockedBytes: 0, totalBytes: 1000 } as const;

/**
 * Repeats the same facts from one instant to another, every 100 ms. `lte` keeps delivering out-of-order
 * bytes.
 */
export function follow(
  from: PathHealth[],
  wifi: Facts,
  startMs: number,
  endMs: number,
): PathHealth[] {
  let known = from;
  for (let nowMs = startMs; nowMs <= endMs; nowMs += 100) {
    known = followHealth(
      known,
      estimator({ wifi, lte: { ...waiting, totalBytes: nowMs } }),
      nowMs,
      'answered',
    );
  }
  return known;
}
