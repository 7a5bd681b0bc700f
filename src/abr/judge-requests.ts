import type { Forecast, MediaType } from '../core';
import { judgeRequest, type AbandonState } from './abandon';
import type { AbrObservation } from './observation';
import { reservedBps } from './reserve';

export interface AbandonChoice {
  requestId: number;
  mediaType: MediaType;
  toRung: number;
  reason: string;
}

/** Judges every media request in flight by the forecast. Returns the first one to abandon. */
export function judgeRequests(
  judgedBefore: Readonly<Record<MediaType, AbandonState>>,
  observation: AbrObservation,
  forecast: Forecast,
): { state: Readonly<Record<MediaType, AbandonState>>; abandon: AbandonChoice | undefined } {
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
