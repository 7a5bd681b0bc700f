import { isCarrying, type PathId, type Forecast } from '../core';
import { feedIsLive, forecast, forecastOfSet, isDormant } from '../estimate';
import { METERED_POLICY } from './config';
import { isMetered } from './policy-input';
import { healthOf } from './path-health';
import type { BrainState } from './state';
import type { BrainObservation } from './types';

/**
 * The expected joint delivery of the requested paths. If paths cannot be steered, it covers the ones in use.
 * The estimator's own forecast replaces it while nothing was measured.
 */
export function forecastForPlan(state: BrainState, observation: BrainObservation): Forecast {
  const nowMs = observation.monotonicMs;
  const own = forecast(state.estimator, nowMs, state.segmentBytes);
  if (own.basis !== 'paths' || !feedIsLive(state.estimator, nowMs)) return own;
  const planned = plannedPaths(state, observation);
  if (!planned || planned.length === 0) return own;
  // A costly helper is used to save a deadline. Its bandwidth above that would be spent on quality.
  // A free path that is too slow beside the helper is a backup, and bounds the rungs as well.
  const isFree = (pathId: PathId): boolean => !isMetered(state, pathId);
  const active = planned.filter(isFree);
  const backups = [...state.estimator.paths].flatMap(([id, track]) =>
    track.state === 'backup' ? id : [],
  );
  const free = active.length > 0 ? active : backups.filter(isFree);
  const helped = state.config.policy === METERED_POLICY && free.length > 0;
  const ids = helped ? free : planned;
  const paths = own.paths.map((path) => ({ ...path, usable: ids.includes(path.pathId) }));
  const members = paths.filter(({ usable }) => usable);
  return { ...own, ...forecastOfSet(state.estimator, members, state.segmentBytes), paths };
}

/** Living paths that carry data after the plan. Undefined if the plan does not count. */
function plannedPaths(state: BrainState, { control }: BrainObservation): PathId[] | undefined {
  if (control === 'none') return undefined;
  const { paths } = state.estimator;
  const steered = (pathId: PathId): boolean => control === 'all' || control.includes(pathId);
  return state.plan.desired.flatMap(({ pathId, desired }) => {
    const track = paths.get(pathId);
    if (!track || !isCarrying(track.state) || isDormant(track)) return [];
    if (healthOf(state.health, pathId) === 'stale') return [];
    return (steered(pathId) ? desired : track.state) === 'active' ? pathId : [];
  });
}

/** A forecast is usable if a living path feed has measured something. */
export function isTrusted(state: BrainState, forecast: Forecast, nowMs: number): boolean {
  if (state.feedEnded || !(forecast.confidence > 0)) return false;
  if (forecast.basis === 'paths') return true;
  return forecast.paths.some((path) => path.usable) && feedIsLive(state.estimator, nowMs);
}
