import type { EndedFlight, NetworkId, ObservedFlight } from '../chunks';
import { AwaitedTime, type CarriedChunk } from '../core';
import { recordOf } from './chunk-record';
import type { ExchangeFailure } from './exchange';
import type { FetchObject } from './fetch-object';
import type { Flight } from './flight';
import type { NetworkTally } from './network-tally';
import type { OriginFacts } from './origin-book';

/** Backlog of one reader at which its answers are no longer read. */
const PAUSE_BYTES = 4 * 1024 * 1024;
/** They are read on below this backlog, so that reading does not stop at every packet. Chosen; no measurement. */
const RESUME_BYTES = PAUSE_BYTES / 4;

/** The requests in flight, and those that ended since the last decision. */
export class FlightBook {
  readonly #tally: NetworkTally;
  readonly #onChunk: ((chunk: CarriedChunk) => void) | undefined;
  readonly #flights = new Map<number, Flight>();
  #ended: EndedFlight[] = [];
  readonly #awaited = new Map<NetworkId, AwaitedTime>();

  constructor(tally: NetworkTally, onChunk?: (chunk: CarriedChunk) => void) {
    this.#tally = tally;
    this.#onChunk = onChunk;
  }

  add(flight: Flight): void {
    this.#countAwaited(flight, flight.sentMs);
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

  /** @param origin facts of the only origin that counts; default: all count */
  over(networkId: NetworkId, origin?: OriginFacts): Flight[] {
    return [...this.#flights.values()].filter(
      ({ action, object }) =>
        action.networkId === networkId && (origin === undefined || object.facts === origin),
    );
  }

  /** Requests of slow readers are paused, so their network is not counted as silent. */
  observe(): ObservedFlight[] {
    return [...this.#flights.values()]
      .filter(({ object }) => !object.isHeldBack)
      .map((flight) => flight.observe());
  }

  /**
   * Stops reading answers for a reader that is far behind, and goes on once it has caught up.
   * @returns true if one of both happened
   */
  holdBack(object: FetchObject): boolean {
    const { waitingBytes } = object.assembler;
    const wasHeldBack = object.isHeldBack;
    if (waitingBytes > PAUSE_BYTES && object.paused) object.isHeldBack = true;
    // A reader that does not pause has every byte in order: the others wait for a gap, which must be fetched.
    else if (!object.paused || waitingBytes < RESUME_BYTES) object.isHeldBack = false;
    for (const { exchange } of this.of(object)) {
      if (object.isHeldBack) exchange?.pause();
      else exchange?.resume();
    }
    return object.isHeldBack !== wasHeldBack;
  }

  /**
   * Time up to now in which bytes of a network were outstanding, ms. Undefined while a reader is too slow to take
   * them: silence is not the network's then.
   */
  awaitedMs(networkId: NetworkId, nowMs: number): number | undefined {
    const flights = this.over(networkId);
    const isHeldBack = flights.some(({ object }) => object.isHeldBack);
    const ms = this.#awaitedOf(networkId).count(flights.length > 0 && !isHeldBack, nowMs);
    return isHeldBack ? undefined : ms;
  }

  /** Call this before the requests in flight change. */
  #countAwaited({ action: { networkId } }: Flight, nowMs: number): void {
    this.#awaitedOf(networkId).count(this.over(networkId).length > 0, nowMs);
  }

  #awaitedOf(networkId: NetworkId): AwaitedTime {
    const known = this.#awaited.get(networkId) ?? new AwaitedTime();
    this.#awaited.set(networkId, known);
    return known;
  }

  /** Counts and records the end of a request. False if it had ended before. */
  end(
    flight: Flight,
    endMs: number,
    outcome: EndedFlight['outcome'],
    failure?: ExchangeFailure,
  ): boolean {
    this.#countAwaited(flight, endMs);
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
