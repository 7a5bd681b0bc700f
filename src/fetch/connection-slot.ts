import type Client from 'undici/lib/dispatcher/client.js';
import type { DialedConnection } from './dial';

/** Time without a byte after which a connection counts as silent, and a probe needs a new one. Chosen; no measurement. */
const SILENT_MS = 1000;
/** Simultaneous streams of one HTTP/2 connection: enough to replace a cancelled one without waiting. */
export const HTTP2_STREAMS = 5;

/** A request on a connection. */
export interface Turn {
  /** Others may follow on its connection. */
  readonly mayFollow: boolean;
  /** Its reader takes nothing now. */
  isPaused: boolean;
  /** The connection was closed for the sake of another request, so that this one goes to the next connection. */
  isMoved: boolean;
  /** Time since which no other answer precedes it; undefined while one does. */
  nextMs: number | undefined;
  /** Called when no other answer precedes it any more. */
  onNext: () => void;
}

/** A place for one connection of a pool. */
export interface Slot {
  client: Client;
  /** Bytes that its connection has delivered. */
  receivedBytes: number;
  /** Requests that wait for their answer or receive it. Over HTTP/1.1 the answers come in this order. */
  readonly line: Turn[];
  /** A cancelled request is in the line. Its connection closes when the answer to it begins. */
  isEnding: boolean;
  /** Time since which a request waits for a byte, or waited when it was cancelled; undefined if none does. */
  waitingMs: number | undefined;
  /** Time of the last byte, or of the connection. */
  heardMs: number;
  /** The open connection of the client, if there is one. */
  connection: DialedConnection | undefined;
  /** A connection that is opened before its use. */
  spare: Promise<DialedConnection> | undefined;
  /** The spare once it is open. */
  ready: DialedConnection | undefined;
}

/** The connection that a request on a slot would use without a handshake. A cancelled one is closing. */
export function openOf({ connection, ready }: Slot): DialedConnection | undefined {
  return [connection, ready].find((one) => one?.socket.destroyed === false);
}

/** Closes the connections of a slot; requests in flight fail with this reason. */
export function leave({ client, spare }: Slot, reason: string): void {
  void client.destroy(new Error(reason)).catch(() => undefined);
  void spare?.then(
    ({ socket }) => socket.destroy(),
    () => undefined,
  );
}

/** A request of a slot has ended. */
export function leaveLine(slot: Slot, turn: Turn): void {
  const index = slot.line.indexOf(turn);
  if (index === -1) return;
  slot.line.splice(index, 1);
  const [next] = slot.line;
  if (next && next.nextMs === undefined) {
    next.nextMs = performance.now();
    next.onNext();
  }
  // After a silence the connection stays suspect until a byte comes.
  const isHeard = performance.now() - slot.heardMs < SILENT_MS;
  if (slot.line.length === 0 && isHeard) slot.waitingMs = undefined;
}

/** True if its last request waited in vain. */
export const isSilent = ({ line, waitingMs = Infinity }: Slot): boolean =>
  line.length === 0 && waitingMs <= performance.now() - SILENT_MS;

export const makeSlot = (client: Client): Slot => ({
  client,
  receivedBytes: 0,
  line: [],
  isEnding: false,
  waitingMs: undefined,
  heardMs: -Infinity,
  connection: undefined,
  spare: undefined,
  ready: undefined,
});

/** A slot and the number of further requests that it takes. */
export interface Place {
  slot: Slot;
  free: number;
}

/**
 * Over HTTP/1.1 a line begins once a connection has delivered so much: several connections pass slow start sooner than one.
 * Chosen: the first segments, for which the viewer waits. Lab, one run each beside other work: first frames after 1.3 s with a
 * line from the start, 1.0 s with this.
 */
const GROWN_BYTES = 200_000;

/**
 * True if requests may follow each other on its connection. On a far path they may from the start: there the bursts of several
 * connections queue behind each other, the senders take the delay for a full path, and end their slow start at once (HyStart,
 * RFC 9406).
 */
export const isGrown = (slot: Slot, isFar: boolean): boolean =>
  (isFar || slot.receivedBytes >= GROWN_BYTES) && openOf(slot)?.http2 === false;

const goesOn = ({ mayFollow, isPaused }: Turn): boolean => mayFollow && !isPaused;

/** True if its reader takes nothing and others wait behind it. */
export const holdsUp = ({ line, connection }: Slot, turn: Turn): boolean =>
  turn.isPaused &&
  line[0] === turn &&
  connection?.http2 === false &&
  line.some(({ isPaused }) => !isPaused);

/**
 * True if the answer to a request does not begin, although its turn came a while ago and the network has delivered bytes on
 * another connection since.
 */
export const isUnanswered = ({ isMoved, nextMs = Infinity }: Turn, heardMs: number): boolean =>
  !isMoved && performance.now() - nextMs >= SILENT_MS && heardMs > nextMs;

/**
 * @param mostInLine requests that one connection of HTTP/1.1 takes
 * @param isFar the round trip is long
 */
export function placesOf(slots: readonly Slot[], mostInLine: number, isFar: boolean): Place[] {
  const http2 = slots.find(({ connection }) => connection?.http2 === true);
  // One HTTP/2 connection carries all requests: a second one would share the same bottleneck.
  if (http2) return [{ slot: http2, free: HTTP2_STREAMS - http2.line.length }];
  return slots.map((slot) => {
    const takesMore = slot.line.length > 0 && isGrown(slot, isFar) && slot.line.every(goesOn);
    const most = slot.isEnding ? 0 : takesMore ? mostInLine : 1;
    return { slot, free: Math.max(0, most - slot.line.length) };
  });
}

/**
 * The slot for a request: a line of HTTP/1.1 if the request may follow, else an open connection without a line.
 * @throws {Error} if there is no place at all
 */
export function chooseSlot(places: readonly Place[], mayFollow: boolean): Slot {
  const free = places.filter((place) => place.free > 0);
  const hasLine = ({ slot: { line, connection } }: Place): boolean =>
    line.length > 0 && connection?.http2 === false;
  const apart = free.filter((place) => !hasLine(place));
  const chosen =
    (mayFollow ? free.find(hasLine) : undefined) ??
    apart.find(({ slot }) => openOf(slot)) ??
    apart[0] ??
    places[0];
  if (!chosen) throw new Error('a pool has at least one connection');
  return chosen.slot;
}
