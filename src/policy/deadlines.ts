import type { PathObservation } from './observation';

/** Bytes to load by a time, with all requests of an earlier deadline. */
export interface Due {
  bytes: number;
  /** Negative if late. */
  leftMs: number;
}

/**
 * The outstanding requests as one queue, earliest deadline first. A request without a deadline is needed
 * before the buffer runs dry. One of unknown size counts as one of the present segments. It does not count
 * without a segment size, or without a deadline and a buffer.
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

/** Spare time at `rateBps` on the tightest deadline. Negative: time overdue. Infinity if nothing is due. */
export function spareMs(queue: readonly Due[], rateBps: number): number {
  return queue.reduce((least, { bytes, leftMs }) => {
    const neededMs = bytes > 0 ? (bytes * 8000) / rateBps : 0;
    return Math.min(least, leftMs - neededMs);
  }, Infinity);
}
