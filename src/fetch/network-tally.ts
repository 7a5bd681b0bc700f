import type { EndedFlight, NetworkId } from '../chunks';
import type { CarriedNetwork } from '../core';
import type { FetchObject } from './fetch-object';
import type { Flight } from './flight';

/** Totals of one network since the fetcher began. */
export type NetworkCounts = Pick<
  CarriedNetwork,
  | 'receivedBytes'
  | 'duplicateBytes'
  | 'blockedBytes'
  | 'unreadBytes'
  | 'requests'
  | 'failed'
  | 'cancelled'
>;

const none: NetworkCounts = {
  receivedBytes: 0,
  duplicateBytes: 0,
  blockedBytes: 0,
  unreadBytes: 0,
  requests: 0,
  failed: 0,
  cancelled: 0,
};

/** Counts bytes and requests by network. */
export class NetworkTally {
  readonly #counts = new Map<NetworkId, NetworkCounts>();
  /** Duplicate bytes of requests under way. */
  readonly #duplicates = new WeakMap<Flight, number>();
  /** Bytes of each network that belong to objects without a reader. */
  readonly #unread = new WeakMap<FetchObject, Map<NetworkId, number>>();
  /** Out-of-order bytes that were already counted before their object got a reader. */
  readonly #ahead = new WeakMap<FetchObject, number>();
  #inOrderBytes = 0;

  of(networkId: NetworkId): NetworkCounts {
    const known = this.#counts.get(networkId) ?? { ...none };
    this.#counts.set(networkId, known);
    return known;
  }

  /** Bytes of all networks that were given to readers. */
  get inOrderBytes(): number {
    return this.#inOrderBytes;
  }

  /** Bytes were given to a reader; out-of-order ones are counted already. */
  gaveOut(object: FetchObject, bytes: number): void {
    const counted = Math.min(bytes, this.#ahead.get(object) ?? 0);
    if (counted > 0) this.#ahead.set(object, (this.#ahead.get(object) ?? 0) - counted);
    this.#inOrderBytes += bytes - counted;
  }

  /** @param waits true if they arrived before an earlier byte */
  received(flight: Flight, bytes: number, fresh: number, waits: boolean): void {
    const { networkId } = flight.action;
    const counts = this.of(networkId);
    counts.receivedBytes += bytes;
    counts.duplicateBytes += bytes - fresh;
    if (waits) counts.blockedBytes += fresh;
    this.#duplicates.set(flight, this.duplicatesOf(flight) + bytes - fresh);
    if (!flight.object.isRead) this.#receivedAhead(flight.object, networkId, fresh);
  }

  /** Bytes that wait for a reader are not blocked by a network, so they count as given out. */
  #receivedAhead(object: FetchObject, networkId: NetworkId, bytes: number): void {
    const unread = this.#unread.get(object) ?? new Map<NetworkId, number>();
    this.#unread.set(object, unread.set(networkId, (unread.get(networkId) ?? 0) + bytes));
    this.#ahead.set(object, (this.#ahead.get(object) ?? 0) + bytes);
    this.#inOrderBytes += bytes;
  }

  /** An announced object was dropped without a reader. */
  unread(object: FetchObject): void {
    for (const [networkId, bytes] of this.#unread.get(object) ?? []) {
      this.of(networkId).unreadBytes += bytes;
    }
  }

  ended(flight: Flight, outcome: EndedFlight['outcome']): void {
    const counts = this.of(flight.action.networkId);
    counts.requests += 1;
    if (outcome === 'failed') counts.failed += 1;
    if (outcome === 'cancelled') counts.cancelled += 1;
  }

  duplicatesOf(flight: Flight): number {
    return this.#duplicates.get(flight) ?? 0;
  }
}
