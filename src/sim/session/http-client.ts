import type { Simulation } from '../engine/simulation';
import { MptcpConnection, type MptcpOptions } from '../mptcp/connection';

const REQUEST_BYTES = 350;
const HEADER_BYTES = 250;

export interface Exchange {
  readonly id: number;
  readonly startMs: number;
  readonly bytesTotal: number;
  bytesLoaded: number;
  firstByteMs: number | undefined;
}

/**
 * A persistent HTTP/1.1 connection: one exchange at a time. Giving one up closes the connection, as browsers do,
 * and the next exchange waits for a new handshake.
 */
export class HttpClient {
  connection: MptcpConnection;
  /** Bytes that connections before this one brought, in order. */
  closedBytes = 0;
  /** Number of connections so far. */
  generation = 0;
  readonly #simulation: Simulation;
  readonly #options: MptcpOptions;
  readonly #onOpen: (connection: MptcpConnection) => void;
  readonly #order: () => readonly number[];
  #current:
    { exchange: Exchange; headerLeft: number; done: (exchange: Exchange) => void } | undefined;
  #sizes: number[] = [];
  #asked = 0;
  #lastId: () => number;

  /**
   * @param order paths that a new connection begins with
   * @param onOpen told every new connection, before it is used
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
    this.connection = this.#open();
  }

  get current(): Exchange | undefined {
    return this.#current?.exchange;
  }

  /** Asks for `bytes`. @throws RangeError while another exchange is under way */
  fetch(bytes: number, done: (exchange: Exchange) => void): Exchange {
    if (this.#current !== undefined) throw new RangeError('an exchange is under way');
    const exchange: Exchange = {
      id: this.#lastId(),
      startMs: this.#simulation.nowNs / 1e6,
      bytesTotal: bytes,
      bytesLoaded: 0,
      firstByteMs: undefined,
    };
    this.#current = { exchange, headerLeft: HEADER_BYTES, done };
    this.#sizes.push(bytes + HEADER_BYTES);
    this.connection.client.send(REQUEST_BYTES);
    return exchange;
  }

  /** Gives up what is under way. */
  abort(): Exchange | undefined {
    const exchange = this.#current?.exchange;
    this.#current = undefined;
    this.#sizes = [];
    this.#asked = 0;
    this.closedBytes += this.connection.client.receivedBytes;
    this.connection.close();
    this.connection = this.#open();
    return exchange;
  }

  /** For good: what is under way is lost. */
  close(): void {
    this.#current = undefined;
    this.connection.close();
  }

  #open(): MptcpConnection {
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

  #onBytes(bytes: number): void {
    const current = this.#current;
    if (current === undefined) return;
    const header = Math.min(bytes, current.headerLeft);
    current.headerLeft -= header;
    const { exchange } = current;
    exchange.firstByteMs ??= this.#simulation.nowNs / 1e6;
    exchange.bytesLoaded += bytes - header;
    if (exchange.bytesLoaded < exchange.bytesTotal || current.headerLeft > 0) return;
    this.#current = undefined;
    current.done(exchange);
  }
}
