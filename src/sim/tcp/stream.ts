import type { CongestionControl } from '../congestion/congestion-control';
import type { Simulation } from '../engine/simulation';
import type { Receiver } from '../packet';
import { TcpEndpoint } from './endpoint';
import type { Chunk, ChunkSource, ConnectionFields } from './segment';

export interface TcpStreamOptions {
  /** Links from the client to the server, and back. */
  there: readonly Receiver[];
  back: readonly Receiver[];
  /** Name for flow queues. */
  flow: number;
  /** Creates the congestion control of each end's sender. */
  createCongestion: () => CongestionControl;
  mtuBytes?: number;
  ecn?: boolean;
  /** Receive window. Default 6 MB, Linux's tcp_rmem. */
  windowBytes?: number;
  onEstablished?: () => void;
}

/** One direction of a stream, as its ends see it. */
export interface StreamSide {
  readonly endpoint: TcpEndpoint;
  /** Writes bytes. */
  send(bytes: number): void;
  /** Bytes written and not sent yet. */
  readonly unsentBytes: number;
  /** Bytes that arrived here in order. */
  readonly receivedBytes: number;
  /** Called with the number of bytes that arrived in order. */
  onReceive: ((bytes: number) => void) | undefined;
}

/** Linux's autotuning limit of a receive buffer (net.ipv4.tcp_rmem). */
export const MAX_RECEIVE_BYTES = 6_291_456;
const DEFAULT_MTU_BYTES = 1500;

class Side implements StreamSide, ChunkSource {
  readonly endpoint: TcpEndpoint;
  onReceive: ((bytes: number) => void) | undefined;
  receivedBytes = 0;
  unsentBytes = 0;
  readonly #windowBytes: number;
  #sentBytes = 0;
  #peerWindowEnd: number;
  readonly #fields: ConnectionFields = { dataAck: 0, windowEnd: 0, wantsBackup: undefined };

  constructor(
    simulation: Simulation,
    options: TcpStreamOptions,
    route: readonly Receiver[],
    flow: number,
    onEstablished: () => void,
  ) {
    this.#windowBytes = options.windowBytes ?? MAX_RECEIVE_BYTES;
    this.#peerWindowEnd = this.#windowBytes;
    this.endpoint = new TcpEndpoint(simulation, {
      route,
      flow,
      mtuBytes: options.mtuBytes ?? DEFAULT_MTU_BYTES,
      optionBytes: 0,
      ecn: options.ecn ?? false,
      congestion: options.createCongestion(),
      source: this,
      onChunk: ({ bytes }) => {
        this.receivedBytes += bytes;
        this.onReceive?.(bytes);
      },
      connectionFields: () => {
        this.#fields.dataAck = this.receivedBytes;
        this.#fields.windowEnd = this.receivedBytes + this.#windowBytes;
        return this.#fields;
      },
      onConnectionFields: ({ windowEnd }) => {
        this.#peerWindowEnd = Math.max(this.#peerWindowEnd, windowEnd);
      },
      onEstablished,
    });
  }

  get isExhausted(): boolean {
    return this.unsentBytes === 0;
  }

  send(bytes: number): void {
    this.unsentBytes += bytes;
    this.endpoint.sender.push();
  }

  take(maxBytes: number): Chunk | undefined {
    const bytes = Math.min(this.unsentBytes, maxBytes, this.#peerWindowEnd - this.#sentBytes);
    if (bytes <= 0) return undefined;
    this.unsentBytes -= bytes;
    this.#sentBytes += bytes;
    return { bytes, dataSeq: this.#sentBytes - bytes };
  }
}

/** A TCP connection between two ends; its application writes bytes and reads byte counts. */
export function createTcpStream(
  simulation: Simulation,
  options: TcpStreamOptions,
): { client: StreamSide; server: StreamSide; connect: () => void } {
  const established = options.onEstablished ?? ((): void => undefined);
  const client = new Side(simulation, options, options.there, options.flow * 2, established);
  const server = new Side(simulation, options, options.back, options.flow * 2 + 1, () => undefined);
  TcpEndpoint.meet(client.endpoint, server.endpoint);
  return { client, server, connect: () => client.endpoint.connect() };
}
