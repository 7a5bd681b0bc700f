import { holdsUp, isUnanswered, leaveLine, openOf, type Slot, type Turn } from './connection-slot';
import { startExchange, type Exchange, type ExchangeListener, type HttpRequest } from './exchange';
import { gatherBytes, Gathering } from './gathering';
import { isOtherRange, staysOpen, type Pipelining } from './pipelining';
import type { WindowEstimate } from './window-estimate';

export interface LineRequest {
  request: HttpRequest;
  listener: ExchangeListener;
  /** Its answer may follow others, and others may follow it. */
  mayFollow: boolean;
  window: WindowEstimate;
  /** Bytes that the server may have in flight on a connection with a request. */
  windowBytes: () => number;
  pipelining: Pipelining;
  /** The round trip is long. */
  isFar: () => boolean;
  /** Time of the latest byte on any connection of the pool. */
  heardMs: () => number;
}

/** Sends a request over the connection of a slot, behind those in its line. */
export function sendOn(slot: Slot, options: LineRequest): Exchange {
  const { request, listener, mayFollow, window, pipelining } = options;
  const isHttp1 = (): boolean => slot.connection?.http2 === false;
  const follows = slot.line.length > 0 && isHttp1();
  const turn: Turn = {
    mayFollow,
    isPaused: false,
    isMoved: false,
    nextMs: follows ? undefined : performance.now(),
    onNext: () => cutIfHeldUp(),
  };
  if (follows) slot.client.pipelining = Math.max(slot.client.pipelining, slot.line.length + 1);
  slot.line.push(turn);
  const connection = openOf(slot);
  const windowBytes = options.windowBytes();
  connection?.bound.limitWindow(windowBytes);
  const gathering = new Gathering(
    connection?.http2 === false ? connection.bound : undefined,
    gatherBytes(window.rateBps, windowBytes),
  );
  const sentMs = performance.now();
  slot.waitingMs ??= sentMs;
  let hasHead = false;
  const left = (): void => {
    gathering.end();
    leaveLine(slot, turn);
  };
  const isReused = slot.connection?.socket.destroyed === false;
  let starts = 0;
  const handlers: ExchangeListener = {
    onConnected: () => {
      starts += 1;
      if (follows && starts > 1 && !turn.isMoved) pipelining.ended(performance.now());
      turn.isMoved = false;
      listener.onConnected?.();
    },
    onHead(head) {
      const nowMs = performance.now();
      hasHead = true;
      slot.waitingMs = slot.heardMs = nowMs;
      // Behind others it is longer than a round trip, as over HTTP/2: the shortest one counts.
      if (connection !== undefined) window.roundTrip(nowMs - sentMs, nowMs);
      // On a far path another round trip to be sure would cost more than a request that is sent again.
      if ((isReused && starts === 1) || (options.isFar() && staysOpen(head))) pipelining.persists();
      if ((follows || (isHttp1() && slot.line.length > 1)) && isOtherRange(request, head)) {
        pipelining.mixedUp();
        cut('the server mixed up its answers');
        return;
      }
      if (follows) pipelining.answered();
      gathering.begin(head.headers['content-length']);
      listener.onHead(head);
    },
    onData: (bytes) => {
      const nowMs = performance.now();
      slot.waitingMs = slot.heardMs = nowMs;
      // The kernel widens the limit as it learns the packet size and enlarges its buffer.
      window.received(bytes.length, nowMs);
      slot.receivedBytes += bytes.length;
      slot.connection?.bound.limitWindow(options.windowBytes());
      gathering.received(bytes.length);
      listener.onData(bytes);
    },
    onEnd() {
      left();
      listener.onEnd();
    },
    onFailure(failure) {
      left();
      // undici sends those behind it again.
      if (follows && !hasHead && !turn.isMoved && failure.kind === 'closed')
        pipelining.ended(performance.now());
      listener.onFailure(failure);
    },
  };
  /** Ends the exchange; those behind it in the line go to another connection. */
  const close = (): void => {
    left();
    for (const other of slot.line) other.isMoved = true;
    exchange.cancel();
  };
  const cut = (reason: string): void => {
    close();
    listener.onFailure({ kind: 'closed', reason });
  };
  const cutIfHeldUp = (): void => {
    if (holdsUp(slot, turn)) cut('its reader delays the answers behind it');
  };
  const exchange = startExchange(slot.client, request, handlers, isReused);
  return {
    pause() {
      turn.isPaused = true;
      exchange.pause();
      // All answers of an object pause together.
      queueMicrotask(cutIfHeldUp);
    },
    resume() {
      turn.isPaused = false;
      exchange.resume();
    },
    cancel() {
      const waits = follows && !hasHead;
      if (waits && isUnanswered(turn, options.heardMs())) pipelining.unanswered(performance.now());
      // The answer before it goes on.
      if (waits && turn.nextMs === undefined && openOf(slot) !== undefined) {
        for (const behind of slot.line.slice(slot.line.indexOf(turn) + 1)) behind.isMoved = true;
        left();
        slot.isEnding = true;
        exchange.cancelLater();
        return;
      }
      close();
    },
  };
}
