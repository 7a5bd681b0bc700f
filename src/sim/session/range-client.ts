import { totalBytes } from '../../chunks';
import type { Simulation } from '../engine/simulation';
import type { RangeObject } from '../ranges/fetch-state';
import type { RangeFetcher } from '../ranges/range-fetcher';
import type { CarriedRequest, MediaClient } from './carriage';

/** Minimum time of a rate measurement. A shorter one measures the clustering of packets. */
const MIN_RATE_MS = 100;

interface Open {
  exchange: RangeExchange;
  done: (exchange: CarriedRequest) => void;
}

/** A resource that is fetched before its request. */
interface Announced {
  name: string;
  object: RangeObject;
}

class RangeExchange implements CarriedRequest {
  firstByteMs: number | undefined;
  goodputBps: number | undefined;
  isComplete = false;
  earlyBytes = 0;
  object: RangeObject | undefined;

  constructor(
    readonly id: number,
    readonly startMs: number,
    readonly bytesTotal: number,
  ) {}

  get bytesLoaded(): number {
    if (this.isComplete) return this.bytesTotal;
    const first = this.object?.received[0];
    return first?.start === 0 ? first.end : 0;
  }
}

/**
 * One medium of a session over byte ranges. As the player's gateway does, it fetches an announced resource over networks
 * that the present one leaves idle, and answers its request from it.
 */
export class RangeClient implements MediaClient {
  readonly #simulation: Simulation;
  readonly #fetcher: RangeFetcher;
  readonly #nextId: () => number;
  #open: Open | undefined;
  #announced: Announced | undefined;
  /** Begin of the exchange, and the bytes that had arrived by then. */
  #begunMs = 0;
  #begunBytes = 0;
  /** The latest measured rate. */
  #goodputBps: number | undefined;

  constructor(simulation: Simulation, fetcher: RangeFetcher, nextId: () => number) {
    this.#simulation = simulation;
    this.#fetcher = fetcher;
    this.#nextId = nextId;
  }

  fetch(
    bytes: number,
    done: (exchange: CarriedRequest) => void,
    neededAtMs?: number,
    name?: string,
  ): CarriedRequest {
    if (this.#open !== undefined) throw new RangeError('an exchange is in flight');
    const exchange = new RangeExchange(this.#nextId(), this.#nowMs, bytes);
    this.#open = { exchange, done };
    this.#begin();
    const finish = (): void => {
      exchange.isComplete = true;
      this.#deliver(exchange);
    };
    const early = this.#takeAnnounced(name);
    exchange.object = early ?? this.#fetcher.fetch(bytes, neededAtMs, finish);
    exchange.earlyBytes = totalBytes(exchange.object.received);
    if (early) this.#fetcher.read(early, finish);
    return exchange;
  }

  announce(name: string, bytes: number, neededAtMs: number): void {
    this.#announced ??= { name, object: this.#fetcher.fetch(bytes, neededAtMs) };
  }

  abort(): void {
    this.#takeAnnounced(undefined);
    const object = this.#open?.exchange.object;
    this.#open = undefined;
    if (object) this.#fetcher.abort(object);
  }

  close(): void {
    this.#open = undefined;
    this.#fetcher.close();
  }

  /** The announced resource of this name. One of another name is cancelled. */
  #takeAnnounced(name: string | undefined): RangeObject | undefined {
    const announced = this.#announced;
    this.#announced = undefined;
    if (announced === undefined || announced.name === name) return announced?.object;
    this.#fetcher.abort(announced.object);
    return undefined;
  }

  get #nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }

  get #usefulBytes(): number {
    return this.#fetcher.receivedBytes - this.#fetcher.duplicateBytes;
  }

  /** Starts the count of bytes for the next exchange. */
  #begin(): void {
    this.#begunMs = this.#nowMs;
    this.#begunBytes = this.#usefulBytes;
  }

  #deliver(exchange: RangeExchange): void {
    const open = this.#open;
    if (open?.exchange !== exchange) return;
    this.#open = undefined;
    // Bytes of an announced resource may have arrived before its request.
    const { object, startMs } = exchange;
    exchange.firstByteMs = Math.max(startMs, object?.firstByteMs ?? startMs);
    const overMs = this.#nowMs - this.#begunMs;
    if (overMs >= MIN_RATE_MS) {
      this.#goodputBps = ((this.#usefulBytes - this.#begunBytes) * 8000) / overMs;
    }
    exchange.goodputBps = this.#goodputBps;
    open.done(exchange);
  }
}
