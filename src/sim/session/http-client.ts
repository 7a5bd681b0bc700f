import type { Simulation } from '../engine/simulation';
import { MptcpConnection, type MptcpOptions } from '../mptcp/connection';
import type { Exchange, MediaClient } from './carriage';

const REQUEST_BYTES = 350;
const HEADER_BYTES = 250;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Simultaneous exchanges: the one in flight, and the next one. */
const MOST_EXCHANGES = 2;

interface Open {
  exchange: Mutable<Exchange>;
  headerLeft: number;
  done: (exchange: Exchange) => void;
}

/**
 * A persistent connection. Its exchanges end in the order in which they began. An abandoned exchange closes the
 * connection, as HTTP/1.1 does in browsers. The next exchange waits for a new handshake.
 */
export class HttpClient implements MediaClient {
  connection: MptcpConnection;
  /** In-order bytes of earlier connections. */
  closedBytes = 0;
  /** Number of connections so far. */
  generation = 0;
  readonly #simulation: Simulation;
  readonly #options: MptcpOptions;
  readonly #onOpen: (connection: MptcpConnection) => void;
  readonly #order: () => readonly number[];
  #open: Open[] = [];
  #endedMs = -Infinity;
  #sizes: number[] = [];
  #asked = 0;
  #lastId: () => number;

  /**
   * @param order paths of a new connection, first path first
   * @param onOpen called with every new connection, before it is used
   */
  constructor(
    simulation: Simulation,
    options: MptcpOptions,
    nextId: () => number,
    order: () => readonly number[],
    onOpen: (connection: MptcpConnection) => void,
  ) {
    this.#simulation = simulation;
    this.#options = options;
    this.#lastId = nextId;
    this.#onOpen = onOpen;
    this.#order = order;
    this.connection = this.#connect();
  }

  /**
   * Requests `bytes`.
   * @throws RangeError while two exchanges are in flight
   */
  fetch(bytes: number, done: (exchange: Exchange) => void): Exchange {
    if (this.#open.length >= MOST_EXCHANGES) throw new RangeError('two exchanges are under way');
    const exchange: Mutable<Exchange> = {
      id: this.#lastId(),
      startMs: this.#simulation.nowNs / 1e6,
      bytesTotal: bytes,
      bytesLoaded: 0,
      firstByteMs: undefined,
    };
    this.#open.push({ exchange, headerLeft: HEADER_BYTES, done });
    this.#sizes.push(bytes + HEADER_BYTES);
    this.connection.client.send(REQUEST_BYTES);
    return exchange;
  }

  /** Cancels the exchanges in flight. */
  abort(): void {
    this.#open = [];
    this.#sizes = [];
    this.#asked = 0;
    this.closedBytes += this.connection.client.receivedBytes;
    this.connection.close();
    this.connection = this.#connect();
  }

  /** Final: an exchange in progress is lost. */
  close(): void {
    this.#open = [];
    this.connection.close();
  }

  #connect(): MptcpConnection {
    this.generation += 1;
    const connection = new MptcpConnection(this.#simulation, {
      ...this.#options,
      order: this.#order(),
      flow: this.#options.flow + this.generation * 64,
    });
    connection.server.onReceive = (bytes) => {
      if (connection !== this.connection) return;
      this.#asked += bytes;
      for (; this.#asked >= REQUEST_BYTES; this.#asked -= REQUEST_BYTES) {
        connection.server.send(this.#sizes.shift() ?? 0);
      }
    };
    connection.client.onReceive = (bytes) => {
      if (connection === this.connection) this.#onBytes(bytes);
    };
    this.#onOpen(connection);
    connection.connect();
    return connection;
  }

  #onBytes(received: number): void {
    let bytes = received;
    while (bytes > 0) {
      const current = this.#open[0];
      if (current === undefined) return;
      const { exchange } = current;
      const header = Math.min(bytes, current.headerLeft);
      current.headerLeft -= header;
      const body = Math.min(bytes - header, exchange.bytesTotal - exchange.bytesLoaded);
      bytes -= header + body;
      exchange.firstByteMs ??= this.#nowMs;
      exchange.bytesLoaded += body;
      const left = exchange.bytesTotal - exchange.bytesLoaded;
      if (current.headerLeft === 0 && left === 0) {
        this.#open.shift();
        exchange.servedFromMs = Math.max(exchange.startMs, this.#endedMs);
        this.#endedMs = this.#nowMs;
        current.done(exchange);
      }
    }
  }

  get #nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }
}
