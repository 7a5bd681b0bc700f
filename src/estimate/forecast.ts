import { clamp, ewmaMean, type Forecast } from '../core';
import { estimatorConfig } from './config';
import { predictGoodput, sumOfRates, type SetForecast } from './goodput';
import { requestBps } from './observe-requests';
import { marginBps, rateConfidence } from './measured-rate';
import { observedRate } from './path-rate';
import type { PathEstimatorState } from './state';
import { usablePaths } from './usable';

/** Weight of a path with bursts only: it separates a bounded rate from an unknown one. */
const BURST_CONFIDENCE = 0.05;

/** Samples arrive: their path states are current. */
export function feedIsLive(state: PathEstimatorState, nowMs: number): boolean {
  const { lastMs } = state.ledger;
  return lastMs !== undefined && nowMs - lastMs <= estimatorConfig.feedTimeoutMs;
}

/**
 * Expected rate of the network from now on. With a live feed it is the joint rate of the usable paths
 * (`predictGoodput`), for segments of `segmentBytes`. Without a feed, or before any measurement, it is the throughput of finished
 * requests. `safeRateBps` is never above `rateBps`; neither is ever negative or NaN. All 0 with confidence 0:
 * unknown. All 0 with confidence 1: every known path is lost.
 */
export function forecast(
  state: PathEstimatorState,
  nowMs: number,
  segmentBytes?: number,
): Forecast {
  const fromPaths = forecastFromPaths(state, nowMs, segmentBytes);
  const fromRequests = forecastFromRequests(state, nowMs, fromPaths.paths);
  const live = feedIsLive(state, nowMs);
  const allLost = fromPaths.paths.length > 0 && fromPaths.paths.every(({ usable }) => !usable);
  const measured = fromPaths.confidence > 0;
  if (live && (measured || allLost)) {
    // Bursts only bound a path from below. Whole requests may be more accurate, if no path was removed. A path that never
    // delivered has no part in either: an unused one, or a subflow of a full mesh that was refused.
    const tracks = [...state.paths.values()].filter(({ totalBytes }) => totalBytes > 0);
    const unmeasured = tracks.some(
      (track) => track.state === 'active' && ewmaMean(track.rate.fast) === undefined,
    );
    const bound = unmeasured && tracks.every((track) => track.state !== 'lost');
    return bound && fromRequests.rateBps > fromPaths.rateBps ? fromRequests : fromPaths;
  }
  return fromRequests.confidence > 0 || !measured ? fromRequests : fromPaths;
}

/** The joint rate of paths: their sum where each has requests of its own, less where they share one stream. */
export function forecastOfSet(
  state: PathEstimatorState,
  paths: Forecast['paths'],
  segmentBytes: number | undefined,
): SetForecast {
  if (state.independent) return sumOfRates(paths);
  const members = paths.map((path) => ({
    ...path,
    rttMs: state.paths.get(path.pathId)?.rcvRttMs,
  }));
  return predictGoodput(members, segmentBytes);
}

function forecastFromPaths(
  state: PathEstimatorState,
  nowMs: number,
  segmentBytes: number | undefined,
): Forecast {
  const usable = usablePaths(state.paths);
  const observed = [...state.paths]
    .filter(([, track]) => track.state !== 'connecting')
    .map(([pathId, track]) => ({
      pathId,
      ...observedRate(track, nowMs),
      usable: usable.includes(pathId),
    }))
    .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
  const carrying = observed.filter((path) => path.usable);
  let sumBps = 0;
  let weightedBps = 0;
  for (const { rateBps, confidence } of carrying) {
    sumBps += rateBps;
    // Bursts have a low weight: enough to distinguish "bounded" from "unknown".
    weightedBps += Math.max(confidence, rateBps > 0 ? BURST_CONFIDENCE : 0) * rateBps;
  }
  const areLost = observed.length > 0 && carrying.length === 0;
  return {
    ...forecastOfSet(state, carrying, segmentBytes),
    confidence: areLost ? 1 : clamp(weightedBps / Math.max(1, sumBps), 0, 1),
    basis: 'paths',
    paths: observed.map(({ pathId, rateBps, safeRateBps, usable: isUsable }) => ({
      pathId,
      rateBps,
      safeRateBps,
      usable: isUsable,
    })),
  };
}

function forecastFromRequests(
  state: PathEstimatorState,
  nowMs: number,
  paths: Forecast['paths'],
): Forecast {
  const { requestRate } = state;
  const rateBps = requestBps(requestRate);
  if (rateBps === undefined) {
    return { rateBps: 0, safeRateBps: 0, confidence: 0, basis: 'requests', paths };
  }
  return {
    rateBps,
    safeRateBps: marginBps(requestRate, rateBps),
    confidence: rateConfidence(requestRate, nowMs),
    basis: 'requests',
    paths,
  };
}
