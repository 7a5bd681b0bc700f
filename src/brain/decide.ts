import type { Forecast } from '../core';
import {
  findAbrRule,
  judgeRequests,
  pendingVideo,
  reservedBps,
  segmentDurationMs,
  statedVideoBytes,
  type PerMedia,
  type Uncertainty,
} from '../abr';
import { sanitizeBrainObservation } from './sanitize';
import { METERED_POLICY, policyOf } from './config';
import { expectRate, type ForecastErrors } from './forecast-errors';
import { forecastForPlan, isTrusted } from './forecast';
import {
  followHealth,
  isRecovering,
  staleReason,
  type Outstanding,
  type PathHealth,
} from './path-health';
import { handOverRest } from './slow-rest';
import { besideStale } from './beside-stale';
import { followLinks } from './link-history';
import { policyInput, waitingSince } from './policy-input';
import { believedSpread, uncertainty, uncertaintyConfig } from './uncertainty';
import type { BrainState, PathPlan } from './state';
import type { BrainDecision, BrainObservation } from './types';

/**
 * Decides paths and bitrate together. Pure: the same state and observation give the same decision, for any
 * content. It never throws, and a rung is always one of the ladder.
 */
export function decide(
  state: BrainState,
  raw: BrainObservation,
): { state: BrainState; decision: BrainDecision } {
  const observation = sanitizeBrainObservation(raw);
  const planned = planPaths(state, observation);
  const forecast = forecastForPlan(planned, observation);
  const trusted = isTrusted(planned, forecast, observation.monotonicMs);
  const rule = trusted ? findAbrRule(state.config.abr) : undefined;
  let next = planned;
  let rungs: PerMedia<number> = {};
  let reason = trusted ? 'no rung asked for' : 'nothing measured yet';
  const { mediaType, live } = observation;
  const growing = live?.unitMs !== undefined;
  const segmentMs = segmentDurationMs(observation, 'video');
  const believe = (): Uncertainty => uncertainty(planned, forecast, growing, segmentMs);
  if (observation.trigger === 'segment' && mediaType && rule) {
    const chosen = rule.choose(observation, mediaType, forecast, believe());
    if (chosen) {
      if (mediaType === 'video') {
        next = { ...next, errors: withForecast(next, observation, forecast, chosen.rung) };
      }
      rungs = { [mediaType]: chosen.rung };
      reason = chosen.reason;
    }
  }
  const leastMs = restartAfterMs(next);
  const abandon =
    rule && leastMs < Infinity
      ? judgeRequests(
          observation,
          forecast,
          believe,
          leastMs,
          next.config.policy === METERED_POLICY ? METERED_WAIT_MS : undefined,
        )
      : undefined;
  return {
    state: next,
    decision: {
      monotonicMs: observation.monotonicMs,
      trigger: observation.trigger,
      paths: next.plan.desired.map((entry) => ({ ...entry })),
      rungs,
      ...(abandon ? { abandon } : {}),
      forecast,
      trusted,
      reason,
      pathReason: next.plan.reason,
    },
  };
}

/** Stall for which a request is abandoned over MPTCP with several paths: a new connection costs a part of it. Simulated: 5 s. */
const LONG_STALL_MS = 5000;
/** Rate that each path must bring then, because the new connection begins on any of them. Simulated with 100, 150 and 240 kbit/s: alike. */
const RESTART_BPS = 150_000;
/**
 * Buffer that ends the wait for a network to come back, where a costly one is in reserve: before that one would bring the rest of
 * a large segment. Simulated training pairs: `ablations.md`.
 */
const METERED_WAIT_MS = 5000;

/**
 * Stall for which a request may be abandoned. Abandonment closes the connection. Over MPTCP a new one starts on the path of the
 * default route and has no other until that path answers: 143 s on a fading network, while the old connection had another path
 * (simulated training pairs). A path that is not healthy would hold a new connection, too. Over byte ranges the other networks'
 * connections stay.
 */
function restartAfterMs({ config, health }: BrainState): number {
  if (config.carriage === 'ranges') return 0;
  if (isRecovering(health)) return Infinity;
  if (health.length < 2) return 0;
  const carries = ({ recentBps, state }: PathHealth): boolean =>
    state === 'healthy' && recentBps >= RESTART_BPS;
  return health.every(carries) ? LONG_STALL_MS : Infinity;
}

/** Audio is loaded beside the video. A forecast of little confidence is a bound, which expects nothing. */
export function withForecast(
  { errors }: BrainState,
  observation: BrainObservation,
  forecast: Forecast,
  rung?: number,
): ForecastErrors {
  const rateBps = forecast.rateBps - reservedBps(observation, 'video');
  if (forecast.confidence < uncertaintyConfig.minConfidence || !(rateBps > 0)) {
    return expectRate(errors, undefined);
  }
  return expectRate(errors, {
    atMs: observation.monotonicMs,
    rateBps,
    spread: believedSpread(errors, forecast),
    pendingBytes: pendingVideo(observation).bytes,
    statedBytes: statedVideoBytes(observation, rung),
  });
}

function planPaths(state: BrainState, observation: BrainObservation): BrainState {
  const ask = observation.trigger === 'tick' || observation.trigger === 'path-event';
  if (!ask || state.feedEnded) return state;
  const { estimator } = state;
  const outstanding = outstandingOf(observation);
  // Plain MPTCP stays unmodified: it is the baseline. Over ranges another network repeats the bytes of a silent one.
  const { carriage, policy: name } = state.config;
  const isLeft = name === 'all' || carriage === 'ranges';
  const known = followHealth(state.health, estimator, observation.monotonicMs, outstanding);
  const health = isLeft ? known : handOverRest(known, estimator, observation);
  const waitingSinceMs = waitingSince(state.waitingSinceMs, observation);
  const links = followLinks(state.links, estimator, observation.monotonicMs);
  const followed = { ...state, health, links, waitingSinceMs };
  const input = policyInput(followed, observation);
  const { state: policy, desired, reason } = policyOf(state.config).decide(state.policy, input);
  const stale = isLeft ? undefined : staleReason(health);
  const plan: PathPlan = {
    desired: [...(stale === undefined ? desired : besideStale(health, estimator, desired))]
      .map(([pathId, wanted]) => ({ pathId, desired: wanted }))
      .sort((a, b) => (a.pathId < b.pathId ? -1 : 1)),
    reason: withControl(stale ?? reason, input.paths.length, observation),
  };
  return { ...followed, policy, plan, shownMs: estimator.ledger.lastMs };
}

function outstandingOf({ requests }: BrainObservation): Outstanding {
  if (requests.length === 0) return 'none';
  return requests.some(({ bytesLoaded }) => bytesLoaded > 0) ? 'answered' : 'unanswered';
}

function withControl(reason: string, paths: number, { control }: BrainObservation): string {
  return control === 'none' && paths > 1
    ? `would be: ${reason}; networks cannot be steered here`
    : reason;
}
