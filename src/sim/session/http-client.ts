import type { Simulation } from '../engine/simulation';
import { MptcpConnection, type MptcpOptions } from '../mptcp/connection';
import type { CarriedRequest, MediaClient } from './carriage';

/** Sizes of a browser's request and of a response header. Chosen; no measurement. */
const REQUEST_BYTES = 350;
const HEADER_BYTES = 250;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Open {
  exchange: Mutable<CarriedRequest>;
  headerLeft: number;
  done: (exchange: CarriedRequest) => void;
}

/**
 * A persistent connection with one exchange at a time. An abandoned exchange closes the connection, as HTTP/1.1 does in
 * browsers. The next exchange waits for a new handshake.
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
  #open: Open | undefined;
  /** Received by the server of the request in flight. */
  #requestBytes = 0;
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
   * @throws RangeError while an exchange is in flight
   */
  fetch(bytes: number, done: (exchange: CarriedRequest) => void): CarriedRequest {
    if (this.#open !== undefined) throw new RangeError('an exchange is in flight');
    const exchange: Mutable<CarriedRequest> = {
      id: this.#lastId(),
      startMs: this.#simulation.nowNs / 1e6,
      bytesTotal: bytes,
      bytesLoaded: 0,
      firstByteMs: undefined,
    };
    this.#open = { exchange, headerLeft: HEADER_BYTES, done };
    this.#requestBytes = 0;
    this.connection.client.send(REQUEST_BYTES);
    return exchange;
  }

  /** Cancels the exchange in flight. */
  abort(): void {
    this.#open = undefined;
    this.closedBytes += this.connection.client.receivedBytes;
    this.connection.close();
    this.connection = this.#connect();
  }

  /** Final: an exchange in progress is lost. */
  close(): void {
    this.#open = undefined;
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
      this.#requestBytes += bytes;
      const exchange = this.#open?.exchange;
      if (exchange === undefined || this.#requestBytes !== REQUEST_BYTES) return;
      connection.server.send(HEADER_BYTES + exchange.bytesTotal);
    };
    connection.client.onReceive = (bytes) => {
      if (connection === this.connection) this.#onBytes(bytes);
    };
    this.#onOpen(connection);
    connection.connect();
    return connection;
  }

  #onBytes(bytes: number): void {
    if (this.#open === undefined) return;
    const { exchange, done } = this.#open;
    const header = Math.min(bytes, this.#open.headerLeft);
    this.#open.headerLeft -= header;
    exchange.firstByteMs ??= this.#nowMs;
    exchange.bytesLoaded += bytes - header;
    if (this.#open.headerLeft > 0 || exchange.bytesLoaded < exchange.bytesTotal) return;
    this.#open = undefined;
    done(exchange);
  }

  get #nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }
}
