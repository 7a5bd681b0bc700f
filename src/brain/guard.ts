/**
 * Whatever the policy: where the paths in use deliver less together than the best of them alone would, twice in a row,
 * that one goes on alone for a while (DESIGN: never worse than the best single path).
 */
import { formatBitRate, formatDuration, type PathId } from '../core';
import { isQuiet, observedRate, type PathEstimatorState } from '../paths';
import type { RequestDone } from './types';

export const guardConfig = {
  /** Segments in a row that must be too slow. */
  segments: 2,
  /** Below this share of the best single path's conservative rate a segment was too slow. Example: 0.95. */
  share: 0.95,
  /** Smaller answers tell latency. Example: 100 kB. */
  minBytes: 100_000,
  /** First time the best path goes on alone; doubles with every relapse. Example: 20 s. */
  holdMs: 20_000,
  /** Longest. Example: 160 s. */
  maxHoldMs: 160_000,
} as const;

export interface GuardState {
  /** Too slow segments in a row. */
  slow: number;
  /** The set in use and since when. */
  active: readonly PathId[];
  sinceMs: number;
  holdMs: number;
  /** The fallback under way. */
  fallback: { pathId: PathId; untilMs: number; reason: string } | null;
}

export const idleGuard: GuardState = {
  slow: 0,
  active: [],
  sinceMs: 0,
  holdMs: guardConfig.holdMs,
  fallback: null,
};

/** The set in use, as the kernel has it now: a segment counts only if it did not change meanwhile. */
export function followPaths(guard: GuardState, estimator: PathEstimatorState): GuardState {
  const active = [...estimator.paths]
    .filter(([, { state }]) => state === 'active')
    .map(([id]) => id)
    .sort();
  const same =
    active.length === guard.active.length && active.every((id, i) => id === guard.active[i]);
  if (same) return guard;
  return { ...guard, active, sinceMs: estimator.ledger.lastMs ?? 0, slow: 0 };
}

/** Compares a finished segment with what the best single path promises. */
export function judgeSegment(
  guard: GuardState,
  estimator: PathEstimatorState,
  request: RequestDone,
  isCostly: (pathId: PathId) => boolean,
): GuardState {
  const ms = request.endMs - request.startMs;
  const counts =
    request.outcome === 'ok' && request.bytes >= guardConfig.minBytes && guard.active.length > 1;
  if (!counts || !(ms > 0) || request.startMs < guard.sinceMs) return guard;
  const best = bestAlone(guard.active, estimator, request.endMs);
  // What costs may help; it is not to carry everything because it is faster.
  if (!best || isCostly(best.pathId)) return guard;
  // Alone it would have had to wait a round trip for the first byte, too.
  const aloneMs = (request.bytes * 8000) / best.safeRateBps + best.rttMs;
  const goodputBps = ((request.bytes + besides(request, estimator)) * 8000) / ms;
  if (goodputBps >= guardConfig.share * ((request.bytes * 8000) / aloneMs)) {
    return { ...guard, slow: 0 };
  }
  const slow = guard.slow + 1;
  if (slow < guardConfig.segments) return { ...guard, slow };
  const reason =
    `${formatBitRate(goodputBps)} over ${guard.active.join(' and ')}, less than ${best.pathId} alone ` +
    `(${formatBitRate(best.safeRateBps)}), ${slow} segments in a row: it goes on alone for ${formatDuration(guard.holdMs)}`;
  return {
    ...guard,
    slow: 0,
    holdMs: Math.min(guardConfig.maxHoldMs, 2 * guard.holdMs),
    fallback: { pathId: best.pathId, untilMs: request.endMs + guard.holdMs, reason },
  };
}

/** Ends a fallback whose time is over or whose path is gone or brings nothing. */
export function ageGuard(
  guard: GuardState,
  estimator: PathEstimatorState,
  nowMs: number,
): GuardState {
  const { fallback } = guard;
  if (!fallback) return guard;
  const track = estimator.paths.get(fallback.pathId);
  const alive =
    track !== undefined &&
    !isQuiet(track, estimator.config) &&
    (track.state === 'active' || track.state === 'backup');
  return alive && nowMs < fallback.untilMs ? guard : { ...guard, fallback: null };
}

function bestAlone(
  ids: readonly PathId[],
  estimator: PathEstimatorState,
  nowMs: number,
): { pathId: PathId; safeRateBps: number; rttMs: number } | undefined {
  let best: { pathId: PathId; safeRateBps: number; rttMs: number } | undefined;
  for (const pathId of ids) {
    const track = estimator.paths.get(pathId);
    // Silent itself: what it once carried is no promise.
    if (!track || Math.max(track.unusedMs, track.quietMs) > estimator.config.silenceLimitMs)
      continue;
    const { safeRateBps, confidence } = observedRate(track, estimator, nowMs);
    if (confidence < 0.3 || safeRateBps <= (best?.safeRateBps ?? 0)) continue;
    best = { pathId, safeRateBps, rttMs: track.rcvRttMs ?? 0 };
  }
  return best;
}

/** Bytes other requests moved in the same time. */
function besides(request: RequestDone, estimator: PathEstimatorState): number {
  let bytes = 0;
  for (const other of estimator.finished) {
    if (other.startMs === request.startMs && other.endMs === request.endMs) continue;
    const overlapMs =
      Math.min(other.endMs, request.endMs) - Math.max(other.startMs, request.startMs);
    const lengthMs = other.endMs - other.startMs;
    if (overlapMs > 0 && lengthMs > 0) bytes += (other.bytes * overlapMs) / lengthMs;
  }
  return bytes;
}
