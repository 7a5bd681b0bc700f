import type { PathId } from '../core';
import type { PathTrack } from './state';
import type { PathEstimatorConfig } from './config';

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

/** Names a path set in the map of learned efficiencies. */
export function pathSetKey(ids: readonly PathId[]): string {
  return ids.join('\n');
}
