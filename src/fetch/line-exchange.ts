import { holdsUp, leaveLine, openOf, type Slot, type Turn } from './connection-slot';
import { startExchange, type Exchange, type ExchangeListener, type HttpRequest } from './exchange';
import { gatherBytes, Gathering } from './gathering';
import { isOtherRange, type Pipelining } from './pipelining';
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
}

/** Sends a request over the connection of a slot, behind those in its line. */
export function sendOn(slot: Slot, options: LineRequest): Exchange {
  const { request, listener, mayFollow, window, pipelining } = options;
  const turn: Turn = { mayFollow, isPaused: false, isMoved: false };
  const follows = slot.line.length > 0 && slot.connection?.http2 === false;
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
      if ((follows || slot.line.length > 1) && isOtherRange(request, head)) {
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
      if (slot.connection?.socket.destroyed === false) pipelining.persists();
      listener.onEnd();
    },
    onFailure(failure) {
      left();
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
  const exchange = startExchange(slot.client, request, handlers, isReused);
  return {
    ...exchange,
    pause() {
      turn.isPaused = true;
      exchange.pause();
      // All answers of an object pause together.
      queueMicrotask(() => {
        if (holdsUp(slot, turn)) cut('its reader delays the answers behind it');
      });
    },
    resume() {
      turn.isPaused = false;
      exchange.resume();
    },
    cancel() {
      const isNext = slot.line[0] === turn;
      const waits = follows && !hasHead;
      if (waits && isNext) pipelining.unanswered(performance.now());
      // The answer before it goes on.
      if (waits && !isNext) {
        left();
        slot.isEnding = true;
        exchange.cancelLater();
        return;
      }
      close();
    },
  };
}
