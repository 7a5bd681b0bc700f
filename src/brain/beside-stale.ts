import { isCarrying, type PathId, type WantedPathState } from '../core';
import type { PathEstimatorState } from '../estimate';
import { healthOf, type PathHealth } from './path-health';

/**
 * The plan while a path is stale: it is closed. The others carry the stream as the policy wants, so a costly path stays a
 * backup beside one that carries. All of them carry if none that the policy wants is healthy.
 */
export function besideStale(
  health: readonly PathHealth[],
  { paths }: Pick<PathEstimatorState, 'paths'>,
  desired: ReadonlyMap<PathId, WantedPathState>,
): Map<PathId, WantedPathState> {
  const isCarried = [...desired].some(([pathId, wanted]) => {
    const isAlive = isCarrying(paths.get(pathId)?.state ?? 'lost');
    return wanted === 'active' && isAlive && healthOf(health, pathId) === 'healthy';
  });
  const entries = [...desired].map(([pathId, wanted]): [PathId, WantedPathState] => {
    const state = healthOf(health, pathId);
    if (state === 'stale') return [pathId, 'closed'];
    if (state === 'probing') return [pathId, 'active'];
    return [pathId, state === 'out' || isCarried ? wanted : 'active'];
  });
  return new Map(entries);
}
