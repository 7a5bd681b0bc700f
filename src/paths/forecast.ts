import { halving, clamp, ewmaMean } from '../core';
import type { Forecast } from '../qoe';
import { setEfficiency, setMargin } from './efficiency';
import { requestBps } from './observe-requests';
import { expectedBps, rateConfidence, safeBps } from './path-rate';
import type { PathEstimatorState } from './state';
import { usablePaths } from './usable';

/** Samples arrive: what they say of the paths is of now. */
export function feedIsLive(state: PathEstimatorState, nowMs: number): boolean {
  const { lastMs } = state.ledger;
  return lastMs !== undefined && nowMs - lastMs <= state.config.feedTimeoutMs;
}

/**
 * What the network is expected to carry from now on.
 * With a live feed: sum over the usable paths, times what their set was seen to deliver in order.
 * Without (or before anything was measured): the throughput of finished requests.
 * `safeRateBps` is never above `rateBps`; neither is ever negative or NaN. All 0 with confidence 0 means
 * nothing is known yet; all 0 with confidence 1 means every known path is lost.
 */
export function forecast(state: PathEstimatorState, nowMs: number): Forecast {
  const fromPaths = forecastFromPaths(state, nowMs);
  const fromRequests = forecastFromRequests(state, nowMs, fromPaths.paths);
  const live = feedIsLive(state, nowMs);
  const allLost = fromPaths.paths.length > 0 && fromPaths.paths.every(({ usable }) => !usable);
  const measured = fromPaths.confidence > 0;
  if (live && (measured || allLost)) {
    // Bursts only bound a path from below; whole requests may know better, as long as no path went.
    const tracks = [...state.paths.values()];
    const unmeasured = tracks.some(
      (track) => track.state === 'active' && ewmaMean(track.rate.fast) === undefined,
    );
    const bound = unmeasured && tracks.every((track) => track.state !== 'lost');
    return bound && fromRequests.rateBps > fromPaths.rateBps ? fromRequests : fromPaths;
  }
  return fromRequests.confidence > 0 || !measured ? fromRequests : fromPaths;
}

function forecastFromPaths(state: PathEstimatorState, nowMs: number): Forecast {
  const { config } = state;
  const usable = usablePaths(state.paths, config);
  const paths: Forecast['paths'] = [...state.paths]
    .filter(([, track]) => track.state !== 'connecting')
    .map(([pathId, track]) => ({
      pathId,
      rateBps: expectedBps(track.rate),
      safeRateBps: safeBps(track.rate, nowMs, config),
      usable: usable.includes(pathId),
    }))
    .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
  const carrying = paths.filter((path) => path.usable);
  const efficiency = setEfficiency(state, usable);
  const safeEfficiency = efficiency * (1 - setMargin(state, usable));
  const sum = (pick: (path: Forecast['paths'][number]) => number): number =>
    carrying.reduce((total, path) => total + pick(path), 0);
  const rateBps = sum((path) => path.rateBps) * efficiency;
  const confidence =
    carrying.length === 0
      ? paths.length > 0
        ? 1
        : 0
      : sum((path) => {
          const track = state.paths.get(path.pathId);
          const own = track ? rateConfidence(track.rate, nowMs, config) : 0;
          // Bursts are worth a little: enough to tell "bounded" from "unknown".
          return Math.max(own, path.rateBps > 0 ? 0.05 : 0) * path.rateBps;
        }) /
        Math.max(
          1,
          sum((path) => path.rateBps),
        );
  return {
    rateBps,
    safeRateBps: Math.min(rateBps, sum((path) => path.safeRateBps) * safeEfficiency),
    confidence: clamp(confidence, 0, 1),
    basis: 'paths',
    paths,
  };
}

function forecastFromRequests(
  state: PathEstimatorState,
  nowMs: number,
  paths: Forecast['paths'],
): Forecast {
  const { config, requestRate } = state;
  const rateBps = requestBps(requestRate);
  if (rateBps === undefined) {
    return { rateBps: 0, safeRateBps: 0, confidence: 0, basis: 'requests', paths };
  }
  const lower = Math.min(
    ewmaMean(requestRate.fast) ?? rateBps,
    ewmaMean(requestRate.slow) ?? rateBps,
  );
  const learned = (ewmaMean(requestRate.overEstimate) ?? 0) * requestRate.overEstimate.weight;
  const margin = clamp(config.minMargin + learned, config.minMargin, config.maxMargin);
  const ageMs = Math.max(0, nowMs - (requestRate.lastMs ?? nowMs));
  const learnedShare = 1 - halving(requestRate.measuredMs / config.confidenceHalfMs);
  return {
    rateBps,
    safeRateBps: Math.min(rateBps, lower * (1 - margin)),
    confidence: clamp(learnedShare * halving(ageMs / config.confidenceHalfLifeMs), 0, 1),
    basis: 'requests',
    paths,
  };
}
