import type { CarriageReport, CarriedNetwork, PathId } from '../core';

/** Bytes that a session fetched in ranges, over all networks. */
export interface RangeBytes {
  received: number;
  /** Bytes that another request had delivered already. */
  twice: number;
  /** Bytes fetched ahead of a request that was never sent. */
  unread: number;
}

type Counted = Pick<CarriedNetwork, 'receivedBytes' | 'duplicateBytes' | 'unreadBytes'>;
const none: Counted = { receivedBytes: 0, duplicateBytes: 0, unreadBytes: 0 };

/**
 * Follows the counters of a fetcher that may have served earlier sessions: the first report only sets the base. A
 * network that went keeps its last counters.
 */
export class RangeBytesCounter {
  #before: ReadonlyMap<PathId, Counted> | undefined;
  readonly #latest = new Map<PathId, Counted>();

  add({ networks }: CarriageReport): void {
    this.#before ??= new Map(networks.map((network) => [network.networkId, network]));
    for (const network of networks) this.#latest.set(network.networkId, network);
  }

  /** Null if nothing was fetched in ranges. */
  sum(): RangeBytes | null {
    const total = (key: keyof Counted): number =>
      [...this.#latest].reduce((sum, [id, now]) => {
        const before = this.#before?.get(id) ?? none;
        return sum + Math.max(0, now[key] - before[key]);
      }, 0);
    const received = total('receivedBytes');
    if (received === 0) return null;
    return { received, twice: total('duplicateBytes'), unread: total('unreadBytes') };
  }
}
