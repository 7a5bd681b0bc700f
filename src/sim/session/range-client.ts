import type { Simulation } from '../engine/simulation';
import type { RangeObject } from '../ranges/fetch-state';
import type { RangeFetcher } from '../ranges/range-fetcher';
import type { Exchange, MediaClient } from './carriage';

/** Simultaneous exchanges of one medium: the one that is needed now, and the next one. */
const MOST_EXCHANGES = 2;
/** Minimum time of a rate measurement. A shorter one measures the clustering of packets. */
const LEAST_RATE_MS = 100;

interface Open {
  exchange: RangeExchange;
  done: (exchange: Exchange) => void;
}

class RangeExchange implements Exchange {
  firstByteMs: number | undefined;
  goodputBps: number | undefined;
  servedFromMs: number;
  isComplete = false;
  object: RangeObject | undefined;

  constructor(
    readonly id: number,
    readonly startMs: number,
    readonly bytesTotal: number,
  ) {
    this.servedFromMs = startMs;
  }

  get bytesLoaded(): number {
    if (this.isComplete) return this.bytesTotal;
    const first = this.object?.held[0];
    return first?.start === 0 ? first.end : 0;
  }
}

/** One medium of a session over byte ranges. Exchanges end in the order in which they began. */
export class RangeClient implements MediaClient {
  readonly #simulation: Simulation;
  readonly #fetcher: RangeFetcher;
  readonly #nextId: () => number;
  #open: Open[] = [];
  /** End of the latest exchange, and the bytes that had arrived by then. */
  #endedMs = -Infinity;
  #endedBytes = 0;

  constructor(simulation: Simulation, fetcher: RangeFetcher, nextId: () => number) {
    this.#simulation = simulation;
    this.#fetcher = fetcher;
    this.#nextId = nextId;
  }

  fetch(bytes: number, done: (exchange: Exchange) => void, neededAtMs?: number): Exchange {
    if (this.#open.length >= MOST_EXCHANGES) throw new RangeError('two exchanges are under way');
    const exchange = new RangeExchange(this.#nextId(), this.#nowMs, bytes);
    if (this.#open.length === 0) this.#begin();
    this.#open.push({ exchange, done });
    exchange.object = this.#fetcher.fetch(bytes, neededAtMs, () => {
      exchange.isComplete = true;
      this.#deliver();
    });
    return exchange;
  }

  abort(): void {
    const open = this.#open;
    this.#open = [];
    for (const { exchange } of open) if (exchange.object) this.#fetcher.abort(exchange.object);
  }

  close(): void {
    this.#open = [];
    this.#fetcher.close();
  }

  get #nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }

  get #usefulBytes(): number {
    return this.#fetcher.receivedBytes - this.#fetcher.duplicateBytes;
  }

  /** From here on bytes count for the next exchange. */
  #begin(): void {
    this.#endedMs = this.#nowMs;
    this.#endedBytes = this.#usefulBytes;
  }

  #deliver(): void {
    for (let first = this.#open[0]; first?.exchange.isComplete === true; first = this.#open[0]) {
      this.#open.shift();
      const { exchange, done } = first;
      exchange.firstByteMs = exchange.object?.firstByteMs;
      exchange.servedFromMs = Math.max(exchange.startMs, this.#endedMs);
      const overMs = this.#nowMs - this.#endedMs;
      if (overMs >= LEAST_RATE_MS) {
        exchange.goodputBps = ((this.#usefulBytes - this.#endedBytes) * 8000) / overMs;
      }
      this.#begin();
      done(exchange);
    }
  }
}
