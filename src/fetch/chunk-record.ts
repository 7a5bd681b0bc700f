import type { EndedFlight } from '../chunks';
import type { CarriedChunk } from '../core';
import { limits } from '../ipc';
import type { Flight } from './flight';

/** The record of one request, for logs. Texts of the server are cut to what a log holds. */
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
    url: object.request.url.href.slice(0, limits.urlChars),
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
    ...(failureReason === undefined
      ? {}
      : { failureReason: failureReason.slice(0, limits.textChars) }),
  };
}
