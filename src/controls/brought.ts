import { networkOf, type NetworkWish } from '../core';
import type { SessionSummary } from '../qoe';

/** Bytes and cost of one network in a stream. */
export interface Brought {
  network: string;
  bytes: number;
  /** Share of all networks' bytes, 0 to 1. */
  share: number;
  /** Cost in the currency of the viewer's price; absent without a price. */
  cost: number | undefined;
}

/** Bytes and money by network, largest first. Networks that carried nothing are left out. */
export function broughtBy(
  paths: readonly Pick<SessionSummary['paths'][number], 'id' | 'bytes'>[],
  wishes: readonly NetworkWish[],
): Brought[] {
  const bytesOf = new Map<string, number>();
  for (const { id: pathId, bytes } of paths) {
    const network = networkOf(pathId);
    bytesOf.set(network, (bytesOf.get(network) ?? 0) + bytes);
  }
  const total = [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
  return [...bytesOf]
    .filter(([, bytes]) => bytes > 0)
    .map(([network, bytes]) => {
      const price = wishes.find((one) => one.network === network)?.costPerGb;
      return {
        network,
        bytes,
        share: bytes / total,
        cost: price === undefined ? undefined : (bytes / 1e9) * price,
      };
    })
    .sort((a, b) => b.bytes - a.bytes);
}
