import { createPathEstimator, type PathEstimatorState, type PathTrack } from '../../estimate';
import { unknownRate } from '../../estimate/path-rate';
import { isCarrying } from '../../core';
import { NEXT_TO_NONE } from '../../core/out-of-order';
import { followHealth, type PathHealth } from '../path-health';

/** The facts of a path that a test gives. */
export type Facts = Pick<PathTrack, 'state' | 'blockedBytes' | 'totalBytes'> & Partial<PathTrack>;

/** An estimator with only the fields that these two modules read. All out-of-order bytes are of one connection. */
export function estimator(paths: Record<string, Facts>): PathEstimatorState {
  const tracks = Object.entries(paths).map(([id, facts]): [string, PathTrack] => [
    id,
    {
      ...({} as PathTrack),
      minRcvRttMs: 50,
      silentMs: 0,
      waitingBytes: 0,
      rate: { ...unknownRate, floorBps: 2e6 },
      ...facts,
    },
  ]);
  const living = tracks.filter(([, { state }]) => isCarrying(state));
  const heldBytes = living.reduce((sum, [, { blockedBytes }]) => sum + blockedBytes, 0);
  for (const [, track] of living) {
    const others = heldBytes - track.blockedBytes;
    if (track.blockedBytes < NEXT_TO_NONE * others) track.waitingBytes = others;
  }
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
