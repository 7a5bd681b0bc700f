import type { NetworkWish } from '../../core';
import type { NetworkPrice } from '../../fetch';

/** Bytes that the ended streams of this program received over each network. Budgets count over all of its streams. */
export class BudgetLedger {
  readonly #spentBytes = new Map<string, number>();

  /** A stream has ended that received bytes over a network. */
  add(network: string, bytes: number): void {
    this.#spentBytes.set(network, (this.#spentBytes.get(network) ?? 0) + bytes);
  }

  /** The price of a network for the next stream, whose budget is what the ended ones left. */
  priceOf({ network, metered, budgetBytes }: NetworkWish): NetworkPrice {
    const costly = metered === true;
    if (budgetBytes === undefined) return { costly, budgetBytes };
    const leftBytes = Math.max(0, budgetBytes - (this.#spentBytes.get(network) ?? 0));
    return { costly, budgetBytes: leftBytes, wholeBudgetBytes: budgetBytes };
  }
}
