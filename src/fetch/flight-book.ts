import type { EndedFlight, NetworkId, ObservedFlight } from '../chunks';
import type { CarriedChunk } from '../core';
import { recordOf } from './chunk-record';
import type { ExchangeFailure } from './exchange';
import type { FetchObject } from './fetch-object';
import type { Flight } from './flight';
import type { NetworkTally } from './network-tally';

/** Time in which a network owed bytes, up to a time. */
interface Awaited {
  ms: number;
  asOfMs: number;
}

/** The requests in flight, and those that ended since the last decision. */
export class FlightBook {
  readonly #tally: NetworkTally;
  readonly #onChunk: ((chunk: CarriedChunk) => void) | undefined;
  readonly #flights = new Map<number, Flight>();
  #ended: EndedFlight[] = [];
  readonly #awaited = new Map<NetworkId, Awaited>();

  constructor(tally: NetworkTally, onChunk?: (chunk: CarriedChunk) => void) {
    this.#tally = tally;
    this.#onChunk = onChunk;
  }

  add(flight: Flight): void {
    this.#countAwaited(flight.action.networkId, flight.sentMs);
    this.#flights.set(flight.action.chunkId, flight);
  }

  get(chunkId: number): Flight | undefined {
    return this.#flights.get(chunkId);
  }

  has(flight: Flight): boolean {
    return this.#flights.get(flight.action.chunkId) === flight;
  }

  of(object: FetchObject): Flight[] {
    return [...this.#flights.values()].filter((flight) => flight.object === object);
  }

  over(networkId: NetworkId): Flight[] {
    return [...this.#flights.values()].filter((flight) => flight.action.networkId === networkId);
  }

  /** Requests of slow readers are paused, so their network is not counted as silent. */
  observe(): ObservedFlight[] {
    return [...this.#flights.values()]
      .filter(({ object }) => !object.isHeldBack)
      .map((flight) => flight.observe());
  }

  /**
   * Time up to now in which a network owed bytes, ms. Undefined while a reader is too slow to take them: silence is not
   * the network's then.
   */
  awaitedMs(networkId: NetworkId, nowMs: number): number | undefined {
    const isHeldBack = this.over(networkId).some(({ object }) => object.isHeldBack);
    if (!isHeldBack) return this.#countAwaited(networkId, nowMs);
    this.#awaited.set(networkId, { ms: this.#awaited.get(networkId)?.ms ?? 0, asOfMs: nowMs });
    return undefined;
  }

  /** Adds the time since the last call if a request was in flight in it. Call this before that changes. */
  #countAwaited(networkId: NetworkId, nowMs: number): number {
    const { ms, asOfMs } = this.#awaited.get(networkId) ?? { ms: 0, asOfMs: nowMs };
    const sinceMs = this.over(networkId).length > 0 ? Math.max(0, nowMs - asOfMs) : 0;
    this.#awaited.set(networkId, { ms: ms + sinceMs, asOfMs: nowMs });
    return ms + sinceMs;
  }

  /** Counts and records the end of a request. False if it had ended before. */
  end(
    flight: Flight,
    endMs: number,
    outcome: EndedFlight['outcome'],
    failure?: ExchangeFailure,
  ): boolean {
    this.#countAwaited(flight.action.networkId, endMs);
    if (!this.#flights.delete(flight.action.chunkId)) return false;
    const kind = outcome === 'failed' ? failure?.kind : undefined;
    const ended = flight.ended(endMs, outcome, kind);
    this.#ended.push(ended);
    this.#tally.ended(flight, outcome);
    const duplicateBytes = this.#tally.duplicatesOf(flight);
    this.#onChunk?.(recordOf(flight, ended, duplicateBytes, failure?.reason));
    return true;
  }

  /** The ends since the last call. */
  takeEnded(): EndedFlight[] {
    return this.#ended.splice(0);
  }

  /** Removes and returns all requests in flight. */
  clear(): Flight[] {
    const flights = [...this.#flights.values()];
    this.#flights.clear();
    return flights;
  }
}
