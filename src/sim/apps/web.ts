import type { Simulation } from '../engine/simulation';
import type { SplitMix64 } from '../engine/split-mix';
import { Timer } from '../engine/timer';
import type { OpenStream } from './app-stream';

/** Sizes of a GET without cookies and of a response header. */
const REQUEST_BYTES = 100;
const HEADER_BYTES = 250;
/** A connection without progress is given up after this time. */
const PATIENCE_NS = 10e9;

export interface WebOptions {
  open: OpenStream;
  /** Flow queue name of the first connection; each further one uses the next name. */
  flow: number;
  /** GETs per second, independent of earlier answers. */
  perSecond: number;
  objectBytes: number;
  /** Decides the phase of each request within its period. */
  random: SplitMix64;
  /** Default now, and never. */
  startNs?: number;
  stopNs?: number;
}

/** Times of complete answers; null without one. */
export interface WebResult {
  started: number;
  completed: number;
  failed: number;
  /** Mean time from the GET to the last byte of the answer. */
  replyMeanMs: number | null;
  /** The same, with the handshake. */
  totalMeanMs: number | null;
  totalMaxMs: number | null;
}

/** Web clients: at a fixed rate, each opens a connection, requests one object and closes it. */
export class WebClients {
  readonly #simulation: Simulation;
  readonly #options: WebOptions;
  #started = 0;
  #completed = 0;
  #failed = 0;
  #replySumNs = 0;
  #totalSumNs = 0;
  #totalMaxNs = 0;

  constructor(simulation: Simulation, options: WebOptions) {
    this.#simulation = simulation;
    this.#options = options;
    const { perSecond, random, startNs = simulation.nowNs, stopNs = Infinity } = options;
    const periodNs = 1e9 / perSecond;
    let turn = 0;
    const timer = new Timer(simulation, () => {
      if (simulation.nowNs >= stopNs) return;
      this.#ask();
      turn += 1;
      timer.setAt(Math.round(startNs + (turn + random.uniform()) * periodNs));
    });
    timer.setAt(Math.round(startNs + random.uniform() * periodNs));
  }

  result(): WebResult {
    const mean = (sumNs: number): number | null =>
      this.#completed > 0 ? sumNs / this.#completed / 1e6 : null;
    return {
      started: this.#started,
      completed: this.#completed,
      failed: this.#failed,
      replyMeanMs: mean(this.#replySumNs),
      totalMeanMs: mean(this.#totalSumNs),
      totalMaxMs: this.#completed > 0 ? this.#totalMaxNs / 1e6 : null,
    };
  }

  #ask(): void {
    const { open, flow, objectBytes } = this.#options;
    const answerBytes = HEADER_BYTES + objectBytes;
    const startNs = this.#simulation.nowNs;
    let askedNs = startNs;
    const stream = open(flow + this.#started, () => {
      askedNs = this.#simulation.nowNs;
      stream.client.send(REQUEST_BYTES);
    });
    this.#started += 1;
    const patience = new Timer(this.#simulation, () => {
      this.#failed += 1;
      stream.close();
    });
    stream.server.onReceive = () => {
      if (stream.server.receivedBytes === REQUEST_BYTES) stream.server.send(answerBytes);
    };
    stream.client.onReceive = () => {
      if (stream.client.receivedBytes < answerBytes) {
        patience.setIn(PATIENCE_NS);
        return;
      }
      patience.cancel();
      stream.close();
      this.#count(this.#simulation.nowNs - askedNs, this.#simulation.nowNs - startNs);
    };
    patience.setIn(PATIENCE_NS);
    stream.connect();
  }

  #count(replyNs: number, totalNs: number): void {
    this.#completed += 1;
    this.#replySumNs += replyNs;
    this.#totalSumNs += totalNs;
    this.#totalMaxNs = Math.max(this.#totalMaxNs, totalNs);
  }
}
