import type { PathObservation } from './observation';

/** What is still to be loaded until when, all requests of an earlier deadline included. */
export interface Due {
  bytes: number;
  /** Negative when late. */
  leftMs: number;
}

/**
 * The outstanding requests as one queue, earliest deadline first. A request without a deadline is needed before the
 * buffer runs dry. One of unknown size counts as one of the segments that are fetched now; without that, or without a
 * deadline and a buffer, it does not.
 */
export function dues(observation: PathObservation, reserveMs: number): Due[] {
  const { monotonicMs, bufferMs, requests, segmentBytes } = observation;
  const open = requests.flatMap(({ bytesLeft = segmentBytes, deadlineMs }) => {
    const leftMs = deadlineMs === undefined ? bufferMs : deadlineMs - monotonicMs;
    return bytesLeft === undefined || leftMs === undefined
      ? []
      : [{ bytes: bytesLeft, leftMs: leftMs - reserveMs }];
  });
  let bytes = 0;
  return open
    .sort((a, b) => a.leftMs - b.leftMs)
    .map((due) => {
      bytes += due.bytes;
      return { bytes, leftMs: due.leftMs };
    });
}

/** Time to spare at `rateBps` on the tightest deadline; negative: late by. Infinity when nothing is due. */
export function spareMs(queue: readonly Due[], rateBps: number): number {
  return queue.reduce((least, { bytes, leftMs }) => {
    const neededMs = bytes > 0 ? (bytes * 8000) / rateBps : 0;
    return Math.min(least, leftMs - neededMs);
  }, Infinity);
}
