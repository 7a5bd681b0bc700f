import type { EndedFlight } from '../chunks';
import type { CarriedChunk } from '../core';
import type { Flight } from './flight';

/** The record of one request, for logs. */
export function recordOf(
  { object, action }: Flight,
  ended: EndedFlight,
  duplicateBytes: number,
  failureReason: string | undefined,
): CarriedChunk {
  const { chunkId, objectId, networkId, start, end, purpose, reason } = action;
  const { sentMs, firstByteMs, endMs, receivedBytes, outcome } = ended;
  return {
    chunkId,
    objectId,
    url: object.request.url.href,
    networkId,
    start,
    end,
    sentMs,
    ...(firstByteMs === undefined ? {} : { firstByteMs }),
    endMs,
    receivedBytes,
    duplicateBytes,
    purpose,
    outcome,
    reason,
    ...(failureReason === undefined ? {} : { failureReason }),
  };
}
