import type { NetworkId } from '../chunks';
import { formatBytes, type WantedPathState } from '../core';

/** The settings of a network by the user and the policies. */
export interface NetworkTerms {
  /** False: nothing is fetched over it. */
  allowed: boolean;
  costly: boolean;
  /** Bytes that it may carry in total. Undefined: no limit. */
  budgetBytes?: number | undefined;
  /** The user's budget, of which `budgetBytes` is left for this stream. Default: `budgetBytes`. */
  wholeBudgetBytes?: number | undefined;
}

export const FREE_TERMS: NetworkTerms = { allowed: true, costly: false };

/** The state of all networks, on which the terms of each one depend. */
export interface TermsSource {
  networkIds: () => readonly NetworkId[];
  wanted: (networkId: NetworkId) => WantedPathState;
  price: (networkId: NetworkId) => Omit<NetworkTerms, 'allowed'> | undefined;
  receivedBytes: (networkId: NetworkId) => number;
}

export function isSpent(
  { budgetBytes }: Pick<NetworkTerms, 'budgetBytes'>,
  receivedBytes: number,
): boolean {
  return budgetBytes !== undefined && receivedBytes >= budgetBytes;
}

export function spentReason({
  budgetBytes = 0,
  wholeBudgetBytes = budgetBytes,
}: Pick<NetworkTerms, 'budgetBytes' | 'wholeBudgetBytes'>): string {
  return `its budget of ${formatBytes(wholeBudgetBytes)} is spent`;
}

/**
 * An active network carries. A backup carries while no active network can. An active network without budget cannot,
 * so it does not keep a backup idle.
 */
export function termsOf(networkId: NetworkId, source: TermsSource): NetworkTerms {
  const { networkIds, wanted, price, receivedBytes } = source;
  const carries = (id: NetworkId): boolean =>
    wanted(id) === 'active' && !isSpent(price(id) ?? {}, receivedBytes(id));
  const state = wanted(networkId);
  const allowed = state === 'active' || (state === 'backup' && !networkIds().some(carries));
  return { ...FREE_TERMS, ...price(networkId), allowed };
}
