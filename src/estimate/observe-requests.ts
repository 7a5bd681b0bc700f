import { carriedBytes, ewmaMean, ledgerConfig, updateEwma } from '../core';
import { estimatorConfig, MAX_KEPT } from './config';
import type { MeasuredRate } from './measured-rate';
import type { FinishedSpan, PathEstimatorState, RequestStart } from './state';

export interface RequestEnd extends Omit<RequestStart, 'pacedUntilMs'> {
  /** Undefined if no byte arrived. */
  firstByteMs?: number | undefined;
  endMs: number;
  bytes: number;
  /** The part of them that had arrived before the request was sent. */
  earlyBytes?: number | undefined;
  outcome: 'ok' | 'abandoned' | 'failed';
}

/** Takes a sent request: from now on the paths are expected to carry data. */
export function observeRequestStart(
  state: PathEstimatorState,
  request: RequestStart,
): PathEstimatorState {
  if (!Number.isFinite(request.startMs)) return state;
  const { requestId, startMs, pacedUntilMs } = request;
  const others = state.openRequests.filter((other) => other.requestId !== requestId);
  const openRequests = [...others, { requestId, startMs, pacedUntilMs }].slice(-MAX_KEPT);
  return { ...state, openRequests };
}

/** Takes the end of a request, with any outcome. Its start may be unknown. */
export function observeRequestEnd(
  state: PathEstimatorState,
  request: RequestEnd,
): PathEstimatorState {
  const open = state.openRequests.find(({ requestId }) => requestId === request.requestId);
  const openRequests = state.openRequests.filter((other) => other !== open);
  const { startMs, endMs } = request;
  // Bytes that no network carried do not count.
  const maxBytes = (endMs - startMs) * ledgerConfig.maxBytesPerMs;
  const carried = carriedBytes(request);
  const bytes = carried > 0 && carried <= maxBytes ? carried : 0;
  if (!Number.isFinite(startMs) || !Number.isFinite(endMs) || endMs < startMs) {
    return { ...state, openRequests };
  }
  // A request that is reported twice carried its bytes once.
  const isKnown = state.finished.some(
    (other) =>
      other.requestId === request.requestId && other.startMs === startMs && other.endMs === endMs,
  );
  if (isKnown) return { ...state, openRequests };
  const span: FinishedSpan = {
    requestId: request.requestId,
    startMs,
    endMs,
    bytes,
    pacedUntilMs: open?.pacedUntilMs,
  };
  const finished = [...state.finished, span].slice(-MAX_KEPT);
  const requestRate = measure(state, request, bytes);
  return { ...state, openRequests, finished, requestRate };
}

/**
 * Throughput of a finished request, for players without a path feed. Bytes of other requests in the same time
 * count too: they used the same links. The weight by time makes it a harmonic mean of requests.
 */
function measure(state: PathEstimatorState, request: RequestEnd, bytes: number): MeasuredRate {
  const { requestRate } = state;
  const ms = request.endMs - request.startMs;
  if (
    request.outcome === 'failed' ||
    bytes < estimatorConfig.minRequestBytes ||
    ms < estimatorConfig.minRequestMs
  ) {
    return requestRate;
  }
  const { startMs, firstByteMs = startMs, endMs } = request;
  const knownBps = requestBps(requestRate) ?? Infinity;
  // One burst after a long wait measures the wait: it only bounds the rate. On a fast link the lowest rung gives nothing else.
  const isBound =
    bytes < estimatorConfig.latencyBytes && firstByteMs - startMs > endMs - firstByteMs;
  const sharedBytes = isBound ? 0 : bytesOfOthers(state.finished, startMs, endMs);
  const bps = ((bytes + sharedBytes) * 8000) / ms;
  if (isBound && bps <= knownBps) return requestRate;
  // The time that it would have taken at the known rate, as in `path-rate.ts`.
  const weightMs = isBound ? (ms * bps) / knownBps : ms;
  return {
    fast: updateEwma(requestRate.fast, bps, weightMs, estimatorConfig.requestFastHalfLifeMs),
    slow: updateEwma(requestRate.slow, bps, weightMs, estimatorConfig.requestSlowHalfLifeMs),
    countedMs: requestRate.countedMs + ms,
    measuredBytes: requestRate.measuredBytes + bytes,
    measuredAtMs: endMs,
  };
}

/** Bytes that other requests brought in this time, at the mean rate of each. */
const bytesOfOthers = (finished: readonly FinishedSpan[], startMs: number, endMs: number): number =>
  finished.reduce((sum, other) => {
    const overlapMs = Math.min(other.endMs, endMs) - Math.max(other.startMs, startMs);
    const lengthMs = other.endMs - other.startMs;
    return overlapMs > 0 && lengthMs > 0 ? sum + (other.bytes * overlapMs) / lengthMs : sum;
  }, 0);

/** Expected throughput from requests. Undefined before the first. */
export function requestBps(rate: MeasuredRate): number | undefined {
  const fast = ewmaMean(rate.fast);
  const slow = ewmaMean(rate.slow);
  return fast === undefined || slow === undefined ? undefined : (fast + slow) / 2;
}
