import { LONG_PATH } from '../chunks';

/** Twice TCP's first window (RFC 6928): a server's slow start meets no limit in its first round trip. */
const MIN_BYTES = 24_000;
/**
 * Margin for a varying round trip and a growing rate. Measured on two links of 26 Mbit/s with segments of 120 ms:
 * factor 1 gave 0.61 of the links' payload rate, factor 1.25 gave 0.82. On the four networks of the README there is
 * no difference.
 */
const GAIN = 1.25;
/**
 * Margin of a shared window. A connection waits a round trip between two answers, and its part of the window is empty
 * then: three connections with chunks of 1.5 round trips carry 0.98 of the rate that was measured with factor 1.25, and the
 * rate never grows. With 1.5 they carry 1.13. On a path of 60 kB `JITTER_BYTES` does as much.
 */
const SHARED_GAIN = 1.5;
/** Factor of a window whose rate still grows, as TCP's slow start (RFC 5681, section 3.1). */
const GROWTH = 2;
/** Margin that does not depend on the rate: about five packets. Chosen; no measurement. */
const JITTER_BYTES = 8_000;
/** Upper bound of a whole window, whatever rate was estimated: it limits memory. Chosen; no measurement. */
const MAX_BYTES = 16_000_000;

/**
 * The bytes that a server may have in flight on one connection. Chunks are short: a server in slow start fills the
 * bottleneck's queue and loses the end of a chunk. No later packet reveals the loss, so it costs a retransmission
 * timeout (RFC 6298). A window a little above the bandwidth-delay product prevents this. It also shortens queues,
 * and with them the rest of a cancelled chunk.
 *
 * On a long path of HTTP/1.1 several connections answer at the same time, and a queue may not hold a whole window of
 * each: they share one. On other paths one begins when another one ends, and each has a whole window. README: `3p-150`
 * with and without.
 *
 * Until the rate stops growing the window is twice as wide. README: very long paths, with and without.
 * @param rateBps of the network, 0 if unknown
 * @param rttMs of the path without queues
 * @param connections that have a request in flight
 * @param isGrowing the rate still grows with the window
 */
export function receiveWindow(
  rateBps: number,
  rttMs: number | undefined,
  connections: number,
  isGrowing: boolean,
): number {
  const productBytes = (rateBps / 8000) * (rttMs ?? 0);
  const sharers = productBytes > LONG_PATH.http1.bytes ? Math.max(1, connections) : 1;
  const sharedBytes = sharers > 1 ? SHARED_GAIN * productBytes : 0;
  const steadyBytes = Math.max(GAIN * productBytes + JITTER_BYTES, sharedBytes);
  const wholeBytes = Math.min(MAX_BYTES, (isGrowing ? GROWTH : 1) * steadyBytes);
  return Math.max(MIN_BYTES, Math.round(wholeBytes / sharers));
}

/** The round trip for which {@link receiveWindow} of one connection is this wide at a rate that has grown. */
export const roundTripFor = (windowBytes: number, rateBps: number): number =>
  rateBps > 0 ? (Math.max(0, windowBytes - JITTER_BYTES) * 8000) / (GAIN * rateBps) : 0;
