import type { PathId } from '../core';
import type { PathEstimatorState, PathTrack } from './state';
import type { PathEstimatorConfig } from './config';
import { expectedBps } from './path-rate';

/**
 * The paths that carry data now: the active ones, or the backups once no active one lives
 * (a Linux sender uses a backup subflow only then).
 */
export function usablePaths(
  paths: ReadonlyMap<PathId, PathTrack>,
  config: PathEstimatorConfig,
): PathId[] {
  const all = [...paths];
  const active = all.filter(([, path]) => path.state === 'active');
  const awake = active.filter(([, path]) => path.unusedMs < config.dormantAfterMs);
  const backups = all.filter(([, path]) => path.state === 'backup');
  const chosen = awake.length > 0 ? awake : active.length > 0 ? active : backups;
  return chosen.map(([id]) => id).sort();
}

/** The part of the estimator that these rules look at. */
type Known = Pick<PathEstimatorState, 'paths' | 'config'>;

/**
 * Active, and yet it gets nothing although something was asked for: not to be counted on for what is asked for next. A
 * slow path that the scheduler can do without is given some time.
 */
export function isDormant(known: Known, id: PathId): boolean {
  const path = known.paths.get(id);
  if (path?.state !== 'active') return false;
  return path.unusedMs >= known.config.dormantAfterMs || isSilent(known, id);
}

/**
 * It carried more than half of what the others do, they go on, and it brings nothing: no scheduler leaves such a path
 * idle for long, so its silence is its own (or the rest waits for another: then the next request wakes it).
 */
export function isSilent({ paths, config }: Known, id: PathId): boolean {
  const path = paths.get(id);
  if (path?.state !== 'active' || !isQuiet(path, config)) return false;
  let othersBps = 0;
  for (const [other, { state, quietMs, rate }] of paths) {
    if (other !== id && state === 'active' && quietMs < 300) othersBps += expectedBps(rate);
  }
  return othersBps > 0 && expectedBps(path.rate) > 0.5 * othersBps;
}

/** It brought nothing for longer than round trips explain, although something was asked for. */
export function isQuiet({ quietMs, rcvRttMs }: PathTrack, config: PathEstimatorConfig): boolean {
  return quietMs >= config.deadAfterMs + 3 * (rcvRttMs ?? 0);
}

/** Names a path set in the map of learned efficiencies. */
export function pathSetKey(ids: readonly PathId[]): string {
  return ids.join('\n');
}
