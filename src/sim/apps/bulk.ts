import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { AppSide, AppStream, OpenStream } from './app-stream';

/** More than any run carries; sums of it remain exact integers. */
const ENDLESS_BYTES = 2 ** 50;
/** Interval at which a rate-limited sender writes. */
const PACE_NS = 10e6;

export interface BulkOptions {
  open: OpenStream;
  /** Name for flow queues. */
  flow: number;
  /** The sending end; default `server`, a download. */
  sender?: 'client' | 'server';
  /** Bytes to transfer; absent: no end. */
  bytes?: number;
  /** Rate limit of the application. */
  rateBps?: number;
  /** Times to connect and to give up; default now and never. */
  startNs?: number;
  stopNs?: number;
}

/** A bulk transfer over one connection, such as FTP or iperf3. */
export class Bulk {
  /** Arrival of the last byte; undefined before it. */
  completedNs: number | undefined;
  readonly stream: AppStream;
  readonly #simulation: Simulation;
  readonly #options: BulkOptions;
  readonly #startNs: number;
  readonly #pace: Timer;
  #left: number;
  #establishedNs: number | undefined;
  #endedNs: number | undefined;

  constructor(simulation: Simulation, options: BulkOptions) {
    this.#simulation = simulation;
    this.#options = options;
    this.#left = options.bytes ?? ENDLESS_BYTES;
    this.#startNs = options.startNs ?? simulation.nowNs;
    this.#pace = new Timer(simulation, () => this.#handOver());
    this.stream = options.open(options.flow, () => {
      this.#establishedNs = simulation.nowNs;
      this.#handOver();
    });
    this.#receiver.onReceive = () => this.#onReceive();
    new Timer(simulation, () => this.stream.connect()).setAt(this.#startNs);
    if (options.stopNs !== undefined) {
      new Timer(simulation, () => this.#end()).setAt(options.stopNs);
    }
  }

  get receivedBytes(): number {
    return this.#receiver.receivedBytes;
  }

  /**
   * Mean rate from the end of the handshake to completion, to the stop, or to now; undefined before the
   * handshake ends.
   */
  get goodputBps(): number | undefined {
    const untilNs = this.#endedNs ?? this.#simulation.nowNs;
    const fromNs = this.#establishedNs;
    if (fromNs === undefined || untilNs <= fromNs) return undefined;
    return (this.receivedBytes * 8e9) / (untilNs - fromNs);
  }

  get #sender(): AppSide {
    return this.#options.sender === 'client' ? this.stream.client : this.stream.server;
  }

  get #receiver(): AppSide {
    return this.#options.sender === 'client' ? this.stream.server : this.stream.client;
  }

  #handOver(): void {
    const { rateBps } = this.#options;
    const most = rateBps === undefined ? this.#left : Math.round((rateBps * PACE_NS) / 8e9);
    const bytes = Math.min(this.#left, most);
    this.#left -= bytes;
    this.#sender.send(bytes);
    if (this.#left > 0 && this.#endedNs === undefined) this.#pace.setIn(PACE_NS);
  }

  #onReceive(): void {
    const { bytes } = this.#options;
    if (bytes === undefined || this.receivedBytes < bytes) return;
    this.completedNs = this.#simulation.nowNs;
    this.#end();
  }

  #end(): void {
    if (this.#endedNs !== undefined) return;
    this.#endedNs = this.#simulation.nowNs;
    this.#pace.cancel();
    this.stream.close();
  }
}
