import type { PathId } from '../core';
import type { PathEstimatorState, PathTrack } from './state';
import { estimatorConfig } from './config';
import { expectedBps } from './path-rate';

/** Another path that delivered this recently carries the stream. Chosen; no measurement. */
const CARRYING_WITHIN_MS = 300;
/** With more than this share of the others' rate, a scheduler does not leave a path idle. Chosen; no measurement. */
const MAIN_SHARE = 0.5;
/** Silence that round trips and one retransmission explain. Chosen; no measurement. */
const SILENCE_ROUND_TRIPS = 3;

/**
 * The paths that carry data now: the active ones, or the backups once no active one is alive (a Linux sender
 * uses a backup subflow only then).
 */
export function usablePaths(paths: ReadonlyMap<PathId, PathTrack>): PathId[] {
  const all = [...paths];
  const active = all.filter(([, path]) => path.state === 'active');
  const awake = active.filter(([, path]) => !isDormant(path));
  const backups = all.filter(([, path]) => path.state === 'backup');
  const chosen = awake.length > 0 ? awake : active.length > 0 ? active : backups;
  return chosen.map(([id]) => id).sort();
}

/**
 * Active, but it receives nothing although a request is outstanding: the next request should not rely on it.
 * A slow path that the scheduler does not need gets more time.
 */
export const isDormant = ({ state, unusedMs }: PathTrack): boolean =>
  state === 'active' && unusedMs >= estimatorConfig.unusedAfterMs;

/**
 * It carried more than half of the others' rate; they continue and it delivers nothing. No scheduler leaves this
 * path idle for long, so the path causes the silence. Otherwise the rest waits for another path, and the next
 * request reactivates it.
 */
export function blocksStream({ paths }: Pick<PathEstimatorState, 'paths'>, id: PathId): boolean {
  const path = paths.get(id);
  if (path?.state !== 'active' || !isSilent(path)) return false;
  let othersBps = 0;
  for (const [other, { state, silentMs, rate }] of paths) {
    if (other !== id && state === 'active' && silentMs < CARRYING_WITHIN_MS)
      othersBps += expectedBps(rate);
  }
  return othersBps > 0 && expectedBps(path.rate) > MAIN_SHARE * othersBps;
}

/** It delivered nothing for longer than round trips explain, although a request was outstanding. */
export function isSilent({ silentMs, minRcvRttMs }: PathTrack): boolean {
  return silentMs >= estimatorConfig.silentAfterMs + SILENCE_ROUND_TRIPS * (minRcvRttMs ?? 0);
}
