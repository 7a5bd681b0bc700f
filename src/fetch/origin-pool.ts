import type { Socket } from 'node:net';
import Client from 'undici/lib/dispatcher/client.js';
import { dial, type DialedConnection, type DialOptions } from './dial';
import { startExchange, type Exchange, type ExchangeListener, type HttpRequest } from './exchange';
import { gatherBytes, Gathering } from './gathering';
import type { Network } from './network';
import { WindowEstimate } from './window-estimate';

/**
 * HTTP/1.1 carries one request a connection. Two or, on a long path, three carry. One more asks for the bytes of a
 * silent network, or replaces a connection whose answer is cancelled, without a handshake.
 */
const HTTP1_CONNECTIONS = 4;
/** Simultaneous streams of one HTTP/2 connection: enough to replace a cancelled one without waiting. */
const HTTP2_STREAMS = 5;
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
/** Time without a byte after which a probe needs a new connection. Chosen; no measurement. */
const SILENT_MS = 1000;
/** Idle time after which an origin's connections are no longer kept warm. */
const KEEP_WARM_MS = 30_000;

interface Slot {
  client: Client;
  running: number;
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
function openOf({ connection, ready }: Slot): DialedConnection | undefined {
  return [connection, ready].find((one) => one?.socket.destroyed === false);
}

/** Closes the connections of a slot; requests in flight fail with this reason. */
function leave({ client, spare }: Slot, reason: string): void {
  void client.destroy(new Error(reason)).catch(() => undefined);
  void spare?.then(
    ({ socket }) => socket.destroy(),
    () => undefined,
  );
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

  /** @param network its addresses may grow */
  constructor(origin: URL, network: () => Network, options: DialOptions) {
    this.#origin = origin;
    this.#network = network;
    this.#options = options;
    for (let i = 0; i < HTTP1_CONNECTIONS; i += 1) this.#slots.push(this.#makeSlot());
  }

  /** Number of requests that could be sent at once. */
  get free(): number {
    return this.#places().reduce((sum, { free }) => sum + free, 0);
  }

  /** Number of those that need no handshake. */
  get warm(): number {
    return this.#places().reduce((sum, { free, slot }) => sum + (openOf(slot) ? free : 0), 0);
  }

  /** Each request has a connection of its own: HTTP/1.1. */
  get isSeparate(): boolean {
    return this.#slots.some(({ connection }) => connection?.http2 === false);
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
    return this.#window.bytesOfEach(this.#slots.filter(({ running }) => running > 0).length);
  }

  /** @param rateBps expected rate of the network, 0 if unknown */
  expect(rateBps: number): void {
    this.#window.expect(rateBps);
  }

  /** @param isProbe it asks whether a network that fell silent is back */
  request(request: HttpRequest, listener: ExchangeListener, isProbe = false): Exchange {
    if (isProbe) this.#leaveSilent();
    const places = this.#places().filter(({ free }) => free > 0);
    const chosen = places.find(({ slot }) => openOf(slot)) ?? places[0] ?? this.#places()[0];
    if (!chosen) throw new Error('a pool has at least one connection');
    const { slot } = chosen;
    slot.running += 1;
    this.#lastUseMs = performance.now();
    const connection = openOf(slot);
    // Over HTTP/2 a connection has room for more requests.
    if (connection?.http2 === false) this.warmUp();
    const window = this.#window;
    const windowBytes = this.#windowBytes;
    connection?.bound.limitWindow(windowBytes);
    const gathering = new Gathering(
      connection?.http2 === false ? connection.bound : undefined,
      gatherBytes(window.rateBps, windowBytes),
    );
    const sentMs = performance.now();
    slot.waitingMs ??= sentMs;
    let isLeft = false;
    const left = (): void => {
      gathering.end();
      if (!isLeft) slot.running -= 1;
      isLeft = true;
      // After a silence the connection stays suspect until a byte comes.
      const isHeard = performance.now() - slot.heardMs < SILENT_MS;
      if (slot.running === 0 && isHeard) slot.waitingMs = undefined;
    };
    const isReused = slot.connection?.socket.destroyed === false;
    const handlers: ExchangeListener = {
      onConnected: () => listener.onConnected?.(),
      onHead(head) {
        const nowMs = performance.now();
        slot.waitingMs = slot.heardMs = nowMs;
        if (connection !== undefined) window.roundTrip(nowMs - sentMs, nowMs);
        gathering.begin(head.headers['content-length']);
        listener.onHead(head);
      },
      onData: (bytes) => {
        const nowMs = performance.now();
        slot.waitingMs = slot.heardMs = nowMs;
        // The kernel widens the limit as it learns the packet size and enlarges its buffer.
        window.received(bytes.length, nowMs);
        slot.connection?.bound.limitWindow(this.#windowBytes);
        gathering.received(bytes.length);
        listener.onData(bytes);
      },
      onEnd() {
        left();
        listener.onEnd();
      },
      onFailure(failure) {
        left();
        listener.onFailure(failure);
      },
    };
    const exchange = startExchange(slot.client, request, handlers, isReused);
    return {
      ...exchange,
      cancel() {
        left();
        exchange.cancel();
      },
    };
  }

  /** Opens a connection in advance, if none is idle or being opened. */
  warmUp(): void {
    if (this.#closed.signal.aborted) return;
    const isHttp2 = this.#slots.some(({ connection }) => connection?.http2 === true);
    const idle = this.#slots.filter(({ running }) => running === 0);
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
    const sinceMs = performance.now() - SILENT_MS;
    for (const [index, slot] of this.#slots.entries()) {
      const isSilent = slot.running === 0 && (slot.waitingMs ?? Infinity) <= sinceMs;
      if (slot.connection?.http2 !== true || !isSilent) continue;
      leave(slot, 'no byte came');
      this.#slots[index] = this.#makeSlot();
    }
  }

  #places(): { slot: Slot; free: number }[] {
    const http2 = this.#slots.filter(({ connection }) => connection?.http2 === true);
    // One HTTP/2 connection carries all requests: a second one would share the same bottleneck.
    if (http2[0]) return [{ slot: http2[0], free: HTTP2_STREAMS - http2[0].running }];
    return this.#slots.map((slot) => ({ slot, free: Math.max(0, 1 - slot.running) }));
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

  #makeSlot(): Slot {
    const connect = (
      _: unknown,
      done: (error: Error | null, socket: Socket | null) => void,
    ): void => {
      const connecting = slot.spare ?? this.#dial();
      slot.spare = slot.ready = undefined;
      connecting.then(
        (made) => {
          slot.connection = made;
          slot.heardMs = performance.now();
          slot.waitingMs = slot.running > 0 ? slot.heardMs : undefined;
          slot.client.pipelining = made.http2 ? HTTP2_STREAMS : 1;
          made.socket.once('close', () => this.#lost(slot, made));
          done(null, made.socket);
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
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
    const slot: Slot = {
      client,
      running: 0,
      waitingMs: undefined,
      heardMs: -Infinity,
      connection: undefined,
      spare: undefined,
      ready: undefined,
    };
    return slot;
  }

  #lost(slot: Slot, connection: DialedConnection): void {
    if (slot.connection === connection) slot.connection = undefined;
    if (!this.#slots.includes(slot)) return;
    if (performance.now() - this.#lastUseMs < KEEP_WARM_MS) this.warmUp();
  }
}
