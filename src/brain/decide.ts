import { selectRung, type SelectState } from '../abr';
import type { MediaType } from '../core';
import { feedIsLive, forecast as forecastOf } from '../paths';
import type { Forecast } from '../qoe';
import { judgeRequests } from './abandon';
import { cleanBrainObservation } from './clean';
import { policyOf } from './config';
import { policyInput } from './policy-input';
import { reservedBps } from './reserve';
import type { BrainState, PathPlan } from './state';
import type { BrainDecision, BrainObservation, PerMedia } from './types';

/**
 * Decides paths and bitrate together. Pure: the same state and observation give the same decision, whatever they
 * hold; it never throws, and a rung is always one of the ladder.
 */
export function decide(
  state: BrainState,
  raw: BrainObservation,
): { state: BrainState; decision: BrainDecision } {
  const observation = cleanBrainObservation(raw);
  const planned = planPaths(state, observation);
  const forecast = forecastOf(planned.estimator, observation.monotonicMs);
  const trusted = isTrusted(planned, forecast, observation.monotonicMs);
  const withAbr = trusted && state.config.abr === 'multipath';
  let next = planned;
  let rungs: PerMedia<number> = {};
  let reason = trusted ? 'no rung asked for' : 'nothing measured yet';
  const { mediaType } = observation;
  if (observation.trigger === 'segment' && mediaType && withAbr) {
    const chosen = chooseRung(next, observation, mediaType, forecast);
    if (chosen) {
      next = { ...next, select: { ...next.select, [mediaType]: chosen.state } };
      rungs = { [mediaType]: chosen.rung };
      reason = chosen.reason;
    }
  }
  const judged = withAbr ? judgeRequests(next, observation, forecast) : undefined;
  if (judged) next = { ...next, abandon: judged.state };
  return {
    state: next,
    decision: {
      monotonicMs: observation.monotonicMs,
      trigger: observation.trigger,
      paths: next.plan.desired.map((entry) => ({ ...entry })),
      rungs,
      ...(judged?.abandon ? { abandon: judged.abandon } : {}),
      forecast,
      trusted,
      reason,
      pathReason: next.plan.reason,
    },
  };
}

function planPaths(state: BrainState, observation: BrainObservation): BrainState {
  const ask = observation.trigger === 'tick' || observation.trigger === 'path-event';
  if (!ask || state.feedEnded) return state;
  const input = policyInput(state, observation);
  const { state: policy, desired, reason } = policyOf(state.config).decide(state.policy, input);
  const plan: PathPlan = {
    desired: [...desired]
      .map(([pathId, wanted]) => ({ pathId, desired: wanted }))
      .sort((a, b) => (a.pathId < b.pathId ? -1 : 1)),
    reason:
      observation.control === 'none' && input.paths.length > 1
        ? `${reason} (cannot steer the networks here: it would need the helper)`
        : reason,
  };
  return { ...state, policy, plan, shownMs: state.estimator.ledger.lastMs };
}

function isTrusted(state: BrainState, forecast: Forecast, nowMs: number): boolean {
  if (state.feedEnded || !(forecast.confidence > 0)) return false;
  if (forecast.basis === 'paths') return true;
  return forecast.paths.some((path) => path.usable) && feedIsLive(state.estimator, nowMs);
}

function chooseRung(
  state: BrainState,
  observation: BrainObservation,
  mediaType: MediaType,
  forecast: Forecast,
): { state: SelectState; rung: number; reason: string } | undefined {
  const ladder = observation.ladders.find((one) => one.mediaType === mediaType);
  if (!ladder || ladder.rungs.length === 0) return undefined;
  const result = selectRung(state.select[mediaType], {
    ladder,
    currentRung: observation.currentRung[mediaType] ?? -1,
    bufferMs: observation.bufferMs[mediaType] ?? 0,
    segmentDurationMs: observation.segmentDurationMs[mediaType] ?? 0,
    nextSegmentBytes: observation.nextSegments?.[mediaType]?.[0],
    forecast,
    reservedBps: reservedBps(observation, mediaType),
  });
  return { state: result.state, rung: result.decision.toRung, reason: result.reason };
}
