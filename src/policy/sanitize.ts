import { clamp } from '../core';
import type { ObservedPath, PathObservation } from './observation';

/** Bounds on the input from one observation. */
const observationLimits = {
  paths: 64,
  requests: 64,
  rateBps: 1e12,
  bytes: 1e15,
  costPerGb: 1e9,
  /** Longer round trips are a fault of the feed. */
  rttMs: 60_000,
  bufferMs: 1e8,
} as const;

/** A required number: a non-finite or negative value counts as 0. */
function amount(value: number, high: number): number {
  return Number.isFinite(value) ? clamp(value, 0, high) : 0;
}

/** An optional number: an invalid value becomes undefined. */
function known(value: number | undefined, high: number): number | undefined {
  return value !== undefined && value >= 0 && value <= high ? value : undefined;
}

/** The observation without NaN, negative numbers, duplicate paths and oversized lists. */
export function sanitizeObservation(observation: PathObservation): PathObservation {
  const limits = observationLimits;
  const paths = new Map<string, ObservedPath>();
  for (const path of observation.paths) {
    if (paths.size >= limits.paths) break;
    if (!paths.has(path.pathId)) paths.set(path.pathId, sanitizePath(path));
  }
  const { monotonicMs } = observation;
  return {
    monotonicMs: Number.isFinite(monotonicMs) ? monotonicMs : 0,
    paths: [...paths.values()],
    requests: observation.requests.slice(0, limits.requests).map((request) => ({
      bytesLeft: known(request.bytesLeft, limits.bytes),
      deadlineMs: Number.isFinite(request.deadlineMs) ? request.deadlineMs : undefined,
    })),
    bufferMs: known(observation.bufferMs, limits.bufferMs),
    goodputBps: known(observation.goodputBps, limits.rateBps),
    outOfOrderBytes: amount(observation.outOfOrderBytes, limits.bytes),
    segmentBytes: known(observation.segmentBytes, limits.bytes),
    needBps: known(observation.needBps, limits.rateBps),
    topNeedBps: known(observation.topNeedBps, limits.rateBps),
    bufferTargetMs: known(observation.bufferTargetMs, limits.bufferMs),
    independent: observation.independent,
  };
}

function sanitizePath(path: ObservedPath): ObservedPath {
  const limits = observationLimits;
  const rateBps = amount(path.rateBps, limits.rateBps);
  return {
    ...path,
    rateBps,
    safeRateBps: Math.min(rateBps, amount(path.safeRateBps, limits.rateBps)),
    confidence: amount(path.confidence, 1),
    throughputBps: known(path.throughputBps, limits.rateBps),
    rcvRttMs: known(path.rcvRttMs, limits.rttMs),
    minRttMs: known(path.minRttMs, limits.rttMs),
    costPerGb: known(path.costPerGb, limits.costPerGb),
    budgetBytes: known(path.budgetBytes, limits.bytes),
    totalBytes: amount(path.totalBytes, limits.bytes),
  };
}
