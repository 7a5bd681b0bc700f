import type { Simulation } from '../engine/simulation';
import { createTcpStream, type StreamSide, type TcpStreamOptions } from '../tcp/stream';

/** Bytes of a request, and of the headers of its answer, with a range. */
const REQUEST_BYTES = 400;
const HEADER_BYTES = 300;

export interface RangeEvents {
  /** Bytes of the body arrived. With the last ones the connection is already idle. */
  onBytes: (bytes: number, isLast: boolean) => void;
}

/** A persistent HTTP/1.1 connection over plain TCP: one request at a time. */
export class RangeConnection {
  readonly #client: StreamSide;
  readonly #server: StreamSide;
  /** Unique in the simulation. */
  readonly id: number;
  #events: RangeEvents | undefined;
  #headerLeft = 0;
  #bodyLeft = 0;
  #asked = 0;
  #answer = 0;
  #established = false;

  constructor(simulation: Simulation, options: TcpStreamOptions) {
    const { client, server, connect } = createTcpStream(simulation, {
      ...options,
      onEstablished: () => {
        this.#established = true;
      },
    });
    this.id = options.flow;
    this.#client = client;
    this.#server = server;
    server.onReceive = (bytes) => this.#onAsked(bytes);
    client.onReceive = (bytes) => this.#onReceived(bytes);
    connect();
  }

  get isIdle(): boolean {
    return this.#events === undefined;
  }

  /** Established and idle: a request needs no handshake. */
  get isWarm(): boolean {
    return this.isIdle && this.#established;
  }

  /** Smallest round trip of the client's own packets; undefined before the handshake. */
  get rttMs(): number | undefined {
    const { minNs } = this.#client.endpoint.sender.roundTrip;
    return Number.isFinite(minNs) && minNs > 0 ? minNs / 1e6 : undefined;
  }

  /** The client's side, for samples of the transport. */
  get client(): StreamSide {
    return this.#client;
  }

  get server(): StreamSide {
    return this.#server;
  }

  /** @throws RangeError while another request is in flight */
  fetch(bytes: number, events: RangeEvents): void {
    if (this.#events !== undefined) throw new RangeError('a request is under way');
    this.#events = events;
    this.#headerLeft = HEADER_BYTES;
    this.#bodyLeft = bytes;
    this.#answer = bytes + HEADER_BYTES;
    this.#client.send(REQUEST_BYTES);
  }

  /** Bytes that the server has sent and that have not arrived: lost if the connection is closed. */
  get underWayBytes(): number {
    return this.#server.endpoint.sender.bytesSent - this.#client.receivedBytes;
  }

  /** Closes for good: data in flight is lost. */
  close(): void {
    this.#events = undefined;
    this.#client.endpoint.close();
    this.#server.endpoint.close();
  }

  #onAsked(bytes: number): void {
    this.#asked += bytes;
    if (this.#asked < REQUEST_BYTES) return;
    this.#asked -= REQUEST_BYTES;
    this.#server.send(this.#answer);
  }

  #onReceived(bytes: number): void {
    const events = this.#events;
    if (events === undefined) return;
    const header = Math.min(bytes, this.#headerLeft);
    this.#headerLeft -= header;
    const body = Math.min(bytes - header, this.#bodyLeft);
    this.#bodyLeft -= body;
    const isLast = this.#bodyLeft === 0 && this.#headerLeft === 0;
    if (isLast) this.#events = undefined;
    if (body > 0 || isLast) events.onBytes(body, isLast);
  }
}
