import type { PathId } from '../core';
import { feedIsLive, type DesiredState } from '../paths';
import type { Forecast } from '../qoe';
import { judgeRequests } from './abandon';
import { cleanBrainObservation } from './clean';
import { policyOf } from './config';
import { followSilence, outReason } from './dead';
import { forecastForPlan } from './forecast';
import { ageGuard, type GuardState } from './guard';
import { policyInput } from './policy-input';
import { followReliability } from './reliability';
import { chooseRung } from './rungs';
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
  const forecast = forecastForPlan(planned, observation);
  const trusted = isTrusted(planned, forecast, observation.monotonicMs);
  const withAbr = trusted && state.config.abr === 'multipath';
  let next = planned;
  let rungs: PerMedia<number> = {};
  let reason = trusted ? 'no rung asked for' : 'nothing measured yet';
  const { mediaType } = observation;
  if (observation.trigger === 'segment' && mediaType && withAbr) {
    const chosen = chooseRung(observation, mediaType, forecast, next.errors);
    if (chosen) {
      if (mediaType === 'video') next = { ...next, promisedBps: forecast.rateBps };
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
  const guard = ageGuard(state.guard, state.estimator, observation.monotonicMs);
  const held = isGuarded(state) ? guard.fallback : null;
  const silence = isGuarded(state)
    ? followSilence(
        state.silence,
        state.estimator,
        observation.monotonicMs,
        observation.requests.length > 0,
      )
    : state.silence;
  const dead = [...desired.keys()]
    .map((pathId) => outReason(silence, pathId))
    .find((why) => why !== undefined);
  const plan: PathPlan = {
    desired: [...desired]
      .map(([pathId, wanted]) => ({
        pathId,
        desired: silenced(
          silence,
          pathId,
          dead === undefined ? guarded(pathId, wanted, held) : wanted,
          dead !== undefined,
        ),
      }))
      .sort((a, b) => (a.pathId < b.pathId ? -1 : 1)),
    reason: withControl(dead ?? held?.reason ?? reason, input.paths.length, observation),
  };
  const reliability = followReliability(
    state.reliability,
    state.estimator,
    observation.monotonicMs,
    plan.desired.filter(({ desired: wanted }) => wanted === 'active').map(({ pathId }) => pathId),
  );
  return {
    ...state,
    policy,
    guard,
    plan,
    reliability,
    silence,
    shownMs: state.estimator.ledger.lastMs,
  };
}

/** Plain MPTCP is what it is: the baseline. */
function isGuarded({ config }: BrainState): boolean {
  return config.guard ?? config.policy !== 'all';
}

function guarded(
  pathId: PathId,
  wanted: DesiredState,
  fallback: GuardState['fallback'],
): DesiredState {
  if (!fallback) return wanted;
  if (pathId === fallback.pathId) return 'active';
  return wanted === 'active' ? 'backup' : wanted;
}

/** A silent path is out; whoever is left carries the stream, and a path that is tried again needs a subflow. */
function silenced(
  silence: BrainState['silence'],
  pathId: PathId,
  wanted: DesiredState,
  someoneIsOut: boolean,
): DesiredState {
  const entry = silence.find((one) => one.pathId === pathId);
  if (entry?.outUntilMs !== undefined) return 'closed';
  if (someoneIsOut || entry?.triedAtMs !== undefined) return 'active';
  return wanted;
}

function withControl(reason: string, paths: number, { control }: BrainObservation): string {
  return control === 'none' && paths > 1
    ? `would be: ${reason}; networks cannot be steered here, only the bitrate follows`
    : reason;
}

function isTrusted(state: BrainState, forecast: Forecast, nowMs: number): boolean {
  if (state.feedEnded || !(forecast.confidence > 0)) return false;
  if (forecast.basis === 'paths') return true;
  return forecast.paths.some((path) => path.usable) && feedIsLive(state.estimator, nowMs);
}
