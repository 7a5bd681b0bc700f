import type { PathId } from '../core';
import {
  feedIsLive,
  forecast,
  learnedSets,
  predictGoodput,
  type PathEstimatorState,
} from '../paths';
import type { Forecast } from '../qoe';
import { reliabilityOf } from './reliability';
import type { BrainState } from './state';
import type { BrainObservation } from './types';

/**
 * What the paths that are asked for will deliver together. Where paths cannot be steered it is the ones in use. The
 * estimator's own forecast stands in while nothing was measured.
 */
export function forecastForPlan(state: BrainState, observation: BrainObservation): Forecast {
  const nowMs = observation.monotonicMs;
  const own = forecast(state.estimator, nowMs);
  if (own.basis !== 'paths' || !feedIsLive(state.estimator, nowMs)) return own;
  const ids = plannedPaths(state, observation);
  if (!ids || ids.length === 0) return own;
  return forecastOfSet(state, own, ids);
}

/** The same forecast for another set of paths. */
function forecastOfSet(
  { estimator, reliability, segmentBytes }: BrainState,
  own: Forecast,
  ids: readonly PathId[],
): Forecast {
  const { ledger } = estimator;
  const counts = (pathId: PathId): number =>
    ids.length > 1 ? reliabilityOf(reliability, pathId) : 1;
  const members = own.paths.filter(({ pathId }) => ids.includes(pathId));
  const { rateBps, safeRateBps } = predictGoodput(
    members.map((path) => ({
      ...path,
      rateBps: path.rateBps * counts(path.pathId),
      safeRateBps: path.safeRateBps * counts(path.pathId),
      rttMs: estimator.paths.get(path.pathId)?.rcvRttMs,
    })),
    learnedSets(estimator, ledger.lastMs ?? 0),
    segmentBytes,
  );
  const paths = own.paths.map((path) => ({ ...path, usable: ids.includes(path.pathId) }));
  return { ...own, rateBps, safeRateBps, paths };
}

/** Living paths that carry data once the plan is done; undefined where the plan does not count. */
function plannedPaths(state: BrainState, { control }: BrainObservation): PathId[] | undefined {
  if (control === 'none') return undefined;
  const { paths } = state.estimator;
  const living = state.plan.desired.filter(({ pathId }) => {
    const track = paths.get(pathId);
    return track?.state === 'active' || track?.state === 'backup';
  });
  const steered = (pathId: PathId): boolean => control === 'all' || control.includes(pathId);
  return living
    .filter(({ pathId, desired }) =>
      // Active, asked and silent, while the others deliver: not to be counted on.
      isDormant(state.estimator, pathId)
        ? false
        : steered(pathId)
          ? desired === 'active'
          : paths.get(pathId)?.state === 'active',
    )
    .map(({ pathId }) => pathId);
}

/** Active, and yet it gets nothing while the others deliver: dead, or the scheduler prefers the others. */
export function isDormant({ paths, config }: PathEstimatorState, pathId: PathId): boolean {
  const track = paths.get(pathId);
  return track !== undefined && track.unusedMs >= config.dormantAfterMs;
}
