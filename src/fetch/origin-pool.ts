import type { Socket } from 'node:net';
import Client from 'undici/lib/dispatcher/client.js';
import { FAR_RTT_MS } from '../chunks';
import { toError } from '../core';
import {
  chooseSlot,
  HTTP2_STREAMS,
  isGrown,
  isSilent,
  leave,
  makeSlot,
  openOf,
  placesOf,
  type Place,
  type Slot,
} from './connection-slot';
import { dial, type DialedConnection, type DialOptions } from './dial';
import type { Exchange, ExchangeListener, HttpRequest } from './exchange';
import { sendOn } from './line-exchange';
import type { Network } from './network';
import { Pipelining } from './pipelining';
import { WindowEstimate } from './window-estimate';

/**
 * With HTTP/1.1 one connection carries a line of requests. Without a line two or, on a long path, three connections carry.
 * One more asks for the bytes of a silent network, or replaces a connection whose answer is cancelled, without a handshake.
 */
const HTTP1_CONNECTIONS = 4;
/**
 * Bytes that a server may send ahead of what was read, on a stream of HTTP/2 and on its connection (RFC 9113, section 5.2).
 * A stream carries a chunk of 4 MB at most. TCP's window limits what is in flight. undici's own 256 kB a stream limited 50 Mbit/s
 * with a round trip of 200 ms to 10 Mbit/s.
 */
const HTTP2_STREAM_BYTES = 4_000_000;
const HTTP2_CONNECTION_BYTES = 16_000_000;
/** Longer than any player pauses between segments. A shorter limit of the server leads to a new connection. */
const KEEP_ALIVE_MS = 60_000;
/** The scheduler detects late requests earlier; this limit ends those that nothing observes. */
const BACKSTOP_MS = 30_000;
/** Idle time after which an origin's connections are no longer kept warm. */
const KEEP_WARM_MS = 30_000;

/** How a request is sent. */
export interface RequestUse {
  /** It asks whether a network that fell silent is back. */
  isProbe?: boolean;
  /** Over HTTP/1.1 its answer may follow others on their connection. */
  mayFollow?: boolean;
}

/** Connections to one origin over one network. */
export class OriginPool {
  readonly #origin: URL;
  readonly #network: () => Network;
  readonly #options: DialOptions;
  readonly #slots: Slot[] = [];
  readonly #closed = new AbortController();
  #lastUseMs = performance.now();
  #address: string | undefined;
  readonly #window = new WindowEstimate();
  readonly #pipelining = new Pipelining();

  /** @param network its addresses may grow */
  constructor(origin: URL, network: () => Network, options: DialOptions) {
    this.#origin = origin;
    this.#network = network;
    this.#options = options;
    for (let i = 0; i < HTTP1_CONNECTIONS; i += 1) this.#slots.push(this.#newSlot());
  }

  /** Number of requests that could be sent at once. */
  get free(): number {
    return this.#places().reduce((sum, { free }) => sum + free, 0);
  }

  /** Number of those that need no handshake. */
  get warm(): number {
    return this.#places().reduce((sum, { free, slot }) => sum + (openOf(slot) ? free : 0), 0);
  }

  /** Each request has a connection of its own: HTTP/1.1 without a line. */
  get isSeparate(): boolean {
    const hasLine = this.#mostInLine > 1 && this.#slots.some((slot) => isGrown(slot, this.#isFar));
    return !hasLine && this.#slots.some(({ connection }) => connection?.http2 === false);
  }

  /** The round trip without a queue of our own. */
  get rttMs(): number | undefined {
    return this.#window.roundTripMs;
  }

  /** Address of the server, once a connection was open. */
  get address(): string | undefined {
    return this.#address;
  }

  get connections(): DialedConnection[] {
    return this.#slots.flatMap((slot) => openOf(slot) ?? []);
  }

  /** Bytes that the server may have in flight on each connection with a request. */
  get #windowBytes(): number {
    return this.#window.bytesOfEach(this.#slots.filter(({ line }) => line.length > 0).length);
  }

  get #isFar(): boolean {
    return (this.rttMs ?? 0) > FAR_RTT_MS;
  }

  get #mostInLine(): number {
    return this.#pipelining.mostRequests(performance.now());
  }

  /** @param rateBps expected rate of the network, 0 if unknown */
  expect(rateBps: number): void {
    this.#window.expect(rateBps);
  }

  request(request: HttpRequest, listener: ExchangeListener, use: RequestUse = {}): Exchange {
    const { isProbe = false, mayFollow = false } = use;
    if (isProbe) this.#leaveSilent();
    const slot = chooseSlot(this.#places(), mayFollow);
    this.#lastUseMs = performance.now();
    // Over HTTP/2 a connection has room for more requests.
    const needsAnother = openOf(slot)?.http2 === false;
    const exchange = sendOn(slot, {
      request,
      listener,
      mayFollow,
      window: this.#window,
      windowBytes: () => this.#windowBytes,
      pipelining: this.#pipelining,
      isFar: () => this.#isFar,
      heardMs: () => Math.max(...this.#slots.map(({ heardMs }) => heardMs)),
    });
    if (needsAnother) this.warmUp();
    return exchange;
  }

  /** Opens a connection in advance, if none is idle or being opened. */
  warmUp(): void {
    if (this.#closed.signal.aborted) return;
    const isHttp2 = this.#slots.some(({ connection }) => connection?.http2 === true);
    const idle = this.#slots.filter(({ line, isEnding }) => line.length === 0 && !isEnding);
    const isHere = idle.some(({ connection, spare }) => (connection ?? spare) !== undefined);
    const [slot] = idle;
    if (!slot || isHere || isHttp2) return;
    const spare = this.#dial();
    slot.spare = spare;
    const gone = (): void => {
      if (slot.spare === spare) slot.spare = slot.ready = undefined;
    };
    spare.then((made) => {
      if (slot.spare !== spare) return;
      slot.ready = made;
      made.socket.once('close', gone);
    }, gone);
  }

  /** Ends every connection; requests in flight fail with this reason. */
  close(reason: string): void {
    this.#closed.abort();
    for (const slot of this.#slots) leave(slot, reason);
  }

  /**
   * A cancelled request of HTTP/2 leaves its connection open. After a dead zone TCP repeats what was lost only at its next
   * timeout, which doubles each time (RFC 6298, section 5.5).
   */
  #leaveSilent(): void {
    for (const [index, slot] of this.#slots.entries()) {
      if (slot.connection?.http2 !== true || !isSilent(slot)) continue;
      leave(slot, 'no byte came');
      this.#slots[index] = this.#newSlot();
    }
  }

  #places(): Place[] {
    return placesOf(this.#slots, this.#mostInLine, this.#isFar);
  }

  #dial(): Promise<DialedConnection> {
    const { signal } = this.#closed;
    const windowBytes = this.#window.bytes;
    return dial(this.#origin, this.#network(), this.#options, { signal, windowBytes }).then(
      (made) => {
        this.#address = made.bound.remoteAddress;
        this.#window.roundTrip(made.bound.handshakeMs, performance.now());
        return made;
      },
    );
  }

  #newSlot(): Slot {
    const connect = (
      _: unknown,
      done: (error: Error | null, socket: Socket | null) => void,
    ): void => {
      const connecting = slot.spare ?? this.#dial();
      slot.spare = slot.ready = undefined;
      connecting.then(
        (made) => {
          slot.connection = made;
          slot.isEnding = false;
          slot.receivedBytes = 0;
          slot.heardMs = performance.now();
          slot.waitingMs = slot.line.length > 0 ? slot.heardMs : undefined;
          slot.client.pipelining = made.http2 ? HTTP2_STREAMS : 1;
          made.socket.once('close', () => this.#lost(slot, made));
          done(null, made.socket);
        },
        (error: unknown) => done(toError(error), null),
      );
    };
    const client = new Client(this.#origin.origin, {
      connect: connect as never,
      allowH2: true,
      initialWindowSize: HTTP2_STREAM_BYTES,
      connectionWindowSize: HTTP2_CONNECTION_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: BACKSTOP_MS,
      bodyTimeout: BACKSTOP_MS,
    });
    const slot = makeSlot(client);
    return slot;
  }

  #lost(slot: Slot, connection: DialedConnection): void {
    if (slot.connection === connection) {
      slot.connection = undefined;
      slot.isEnding = false;
    }
    if (!this.#slots.includes(slot)) return;
    if (performance.now() - this.#lastUseMs < KEEP_WARM_MS) this.warmUp();
  }
}
