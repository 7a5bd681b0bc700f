import { judgeRequest, type AbandonState } from '../abr';
import type { MediaType } from '../core';
import type { Forecast } from '../qoe';
import { reservedBps } from './reserve';
import type { BrainState } from './state';
import type { AbandonChoice, BrainObservation } from './types';

/** A path in use that others wait for, that has fallen silent, or that is out for that. */
function isWaitingForSilent({ estimator, silence }: BrainState): boolean {
  const isOut = silence.some(
    ({ outUntilMs, triedAtMs }) => outUntilMs !== undefined || triedAtMs !== undefined,
  );
  return (
    isOut ||
    [...estimator.paths.values()].some(
      ({ state, stuck, quietMs }) =>
        state === 'active' && (stuck || quietMs >= estimator.config.silenceLimitMs),
    )
  );
}

/** Judges every media request in flight by the forecast; the first one to be given up is told. */
export function judgeRequests(
  state: BrainState,
  observation: BrainObservation,
  forecast: Forecast,
): { state: Readonly<Record<MediaType, AbandonState>>; abandon: AbandonChoice | undefined } {
  const judgedBefore = state.abandon;
  // Giving up closes the connection. A new one may start on the silent path and wait there for seconds, while the
  // kernel sends what is owed again over the others within one; and what is held would be lost.
  if (isWaitingForSilent(state)) return { state: judgedBefore, abandon: undefined };
  let judged = judgedBefore;
  let abandon: AbandonChoice | undefined;
  for (const request of observation.requests) {
    const { mediaType, durationMs } = request;
    if (!mediaType || durationMs === undefined || !(durationMs > 0) || request.rung < 0) continue;
    const ladder = observation.ladders.find((one) => one.mediaType === mediaType);
    if (!ladder) continue;
    const result = judgeRequest(judged[mediaType], {
      requestId: request.requestId,
      ladder,
      rung: request.rung,
      elapsedMs: observation.monotonicMs - request.startMs,
      bytesLoaded: request.bytesLoaded,
      bytesTotal: request.bytesTotal,
      segmentDurationMs: durationMs,
      bufferMs: observation.bufferMs[mediaType] ?? 0,
      forecast,
      reservedBps: reservedBps(observation, mediaType),
    });
    judged = { ...judged, [mediaType]: result.state };
    if (abandon || !result.decision.abandon) continue;
    const { requestId } = request;
    abandon = { requestId, mediaType, toRung: result.decision.toRung, reason: result.reason };
  }
  return { state: judged, abandon };
}
