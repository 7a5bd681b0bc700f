import type { PathId } from '../core';
import { feedIsLive, forecast, isDormant, isSilent, learnedSets, predictGoodput } from '../paths';
import type { Forecast } from '../qoe';
import { METERED_POLICY } from './config';
import { isMetered } from './policy-input';
import { isExpectedBack, reliabilityOf } from './reliability';
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
  const planned = plannedPaths(state, observation);
  if (!planned || planned.length === 0) return own;
  // A costly path that helps saves a deadline; what it carries beyond that would be spent on quality.
  const free = planned.filter((pathId) => !isMetered(state, pathId));
  const helped = state.config.policy === METERED_POLICY && free.length > 0;
  return forecastOfSet(state, own, helped ? free : planned, nowMs);
}

/** Of a path that is gone or silent and expected back, this share of its share counts as safe. Example: 0.5. */
const safeWhileGone = 0.5;

/** The same forecast for another set of paths. */
function forecastOfSet(
  { estimator, reliability, segmentBytes, plan }: BrainState,
  own: Forecast,
  ids: readonly PathId[],
  nowMs: number,
): Forecast {
  // What the plan itself closed comes back when the plan says so.
  const wanted = new Map(plan.desired.map(({ pathId, desired }) => [pathId, desired]));
  const isAwaited = (pathId: PathId): boolean =>
    estimator.paths.get(pathId)?.state === 'lost'
      ? wanted.get(pathId) !== 'closed' && isExpectedBack(reliability, pathId, nowMs)
      : // A second of silence is a dip more often than the end: `dead` tells.
        wanted.get(pathId) === 'active' && isSilent(estimator, pathId);
  const awaited = own.paths.map(({ pathId }) => pathId).filter(isAwaited);
  const several = ids.length + awaited.length > 1;
  const members = own.paths
    .filter(({ pathId }) => ids.includes(pathId) || awaited.includes(pathId))
    .map((path) => {
      const counts = several ? reliabilityOf(reliability, path.pathId) : 1;
      const safely = counts * (awaited.includes(path.pathId) ? safeWhileGone : 1);
      return {
        ...path,
        rateBps: path.rateBps * counts,
        safeRateBps: path.safeRateBps * safely,
        rttMs: estimator.paths.get(path.pathId)?.rcvRttMs,
      };
    });
  const learned = learnedSets(estimator, estimator.ledger.lastMs ?? 0);
  const { rateBps, safeRateBps } = predictGoodput(members, learned, segmentBytes);
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
