import { requestRateBps } from '../../core';
import type { RequestEvent } from '../../session-log';

/** A request for a segment in flight. */
export interface RequestProgress {
  requestId: number;
  /** The same for every request of one segment; begins with the medium and a space. */
  segment: string;
  bytesLoaded: number;
  bytesTotal: number;
  /** Media ahead of the playhead. */
  bufferMs: number;
  /**
   * The gateway fetches it in parts. It requests those of a silent network again itself, and bytes behind a missing one do
   * not show here. Lab, `trace-2`: a segment that was complete but for 35 kB was requested again.
   */
  gathered: boolean;
}

export interface Surroundings {
  nowMs: number;
  /** Networks of the stream's connections, 0 if all are lost; undefined without a forecast. */
  networks: number | undefined;
}

/** A request to give up and send again. */
export interface StuckRequest {
  requestId: number;
  rateBps: number;
  typicalBps: number;
}

interface Mark {
  atMs: number;
  bytes: number;
}

/**
 * Time for which a request must be slow if there are two networks. Both rarely fade at once, so a stuck answer is
 * more likely. (Walks with a phone: both below 5 % of their mean in 0.3 % of the time).
 */
const PATIENCE_MS = 3000;
/**
 * The same with one network, or through the gateway. A fade is likelier, and a new request would discard received
 * bytes. Example: 8 s, longer than the mean fade of 6 s.
 */
const LONE_PATIENCE_MS = 8000;
/** A stuck request has less than this share of the usual rate. Example: 0.1. */
const STUCK_SHARE = 0.1;
/** The rest must take this multiple of the time that another request would need. Example: 4. */
const MIN_GAIN = 4;
/** Time of a new request without its bytes: perhaps a new connection. Chosen; no measurement. */
const RESTART_MS = 500;
/** Finished requests that set the usual rate and the time to the first byte. */
const TYPICAL_COUNT = 5;
/** A request without a byte may take this multiple of the longest time to a first byte: a server may be slow. */
const FIRST_BYTE_PATIENCE = 2;

/**
 * Finds requests whose answer trickles or stops although earlier requests were fast. A forecast cannot distinguish
 * a slow answer from slow networks, because no other request moves bytes. Each repetition of a segment doubles the
 * patience, so that slow networks lose a bounded share of their bytes.
 */
export class StuckRequests {
  readonly #marks = new Map<number, Mark[]>();
  readonly #repeats = new Map<string, number>();
  readonly #ratesBps: number[] = [];
  readonly #firstBytesMs: number[] = [];

  /** A request has ended. */
  ended(event: Omit<RequestEvent, 'monotonicMs'>): void {
    if (event.kind !== 'media' || event.outcome !== 'ok') return;
    const rateBps = requestRateBps(event);
    if (rateBps !== undefined) this.#ratesBps.push(rateBps);
    if (this.#ratesBps.length > TYPICAL_COUNT) this.#ratesBps.shift();
    if (event.firstByteMs !== undefined) this.#firstBytesMs.push(event.firstByteMs - event.startMs);
    if (this.#firstBytesMs.length > TYPICAL_COUNT) this.#firstBytesMs.shift();
    // A segment of this medium has arrived. Those of another may still not come.
    for (const segment of this.#repeats.keys()) {
      if (segment.startsWith(`${event.mediaType ?? ''} `)) this.#repeats.delete(segment);
    }
  }

  /** Call it on a timer with every request in flight. */
  look(requests: readonly RequestProgress[], { nowMs, networks }: Surroundings): StuckRequest[] {
    const present = new Set(requests.map(({ requestId }) => requestId));
    for (const id of this.#marks.keys()) if (!present.has(id)) this.#marks.delete(id);
    return requests.flatMap((request) => {
      const repeats = this.#repeats.get(request.segment) ?? 0;
      const lone = request.gathered || networks === undefined || networks < 2;
      const leastMs = (lone ? LONE_PATIENCE_MS : PATIENCE_MS) * 2 ** repeats;
      const firstMs = request.bytesLoaded > 0 ? 0 : Math.max(0, ...this.#firstBytesMs);
      const patienceMs = Math.max(leastMs, FIRST_BYTE_PATIENCE * firstMs);
      const rateBps = this.#rateOf(request, nowMs, patienceMs);
      // With every network lost, a new request cannot be sent.
      if (rateBps === undefined || networks === 0) return [];
      const typicalBps = this.#typicalBps();
      if (!isStuck(request, rateBps, typicalBps)) return [];
      this.#repeats.set(request.segment, repeats + 1);
      return [{ requestId: request.requestId, rateBps, typicalBps }];
    });
  }

  /** Rate over the last `patienceMs`; undefined for a younger request. */
  #rateOf(
    { requestId, bytesLoaded }: RequestProgress,
    nowMs: number,
    patienceMs: number,
  ): number | undefined {
    const marks = this.#marks.get(requestId) ?? [];
    this.#marks.set(requestId, marks);
    marks.push({ atMs: nowMs, bytes: bytesLoaded });
    // Keeps the newest mark that is old enough as the first one.
    while ((marks[1]?.atMs ?? Infinity) <= nowMs - patienceMs) marks.shift();
    const [first] = marks;
    if (first === undefined || nowMs - first.atMs < patienceMs) return undefined;
    return (Math.max(0, bytesLoaded - first.bytes) * 8000) / (nowMs - first.atMs);
  }

  /** The median rate of the last requests; 0 before the first. */
  #typicalBps(): number {
    const sorted = [...this.#ratesBps].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  }
}

function isStuck(
  { bytesLoaded, bytesTotal, bufferMs }: RequestProgress,
  rateBps: number,
  typicalBps: number,
): boolean {
  if (!(rateBps < typicalBps * STUCK_SHARE)) return false;
  const leftMs = (Math.max(0, bytesTotal - bytesLoaded) * 8000) / rateBps;
  const againMs = RESTART_MS + (bytesTotal * 8000) / typicalBps;
  return leftMs > bufferMs && leftMs > MIN_GAIN * againMs;
}
