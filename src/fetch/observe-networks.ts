import type { NetworkId, ObservedNetwork } from '../chunks';
import type { NetworkPools } from './network-pools';
import type { NetworkTally } from './network-tally';
import { isSpent, type NetworkTerms } from './network-terms';

export interface ObserveNetworksOptions {
  pools: NetworkPools;
  tally: NetworkTally;
  terms: (networkId: NetworkId) => NetworkTerms;
  /** The pools whose connections count as free and warm. */
  origin: URL | undefined;
  /** Further requests that its server answers at the same time over a network. */
  permitted: (networkId: NetworkId) => number;
}

/** The networks in the form of a scheduler's observation. */
export function observeNetworks(options: ObserveNetworksOptions): ObservedNetwork[] {
  const { pools, tally, origin } = options;
  return pools.networks().map(({ id }) => {
    const { allowed, costly, budgetBytes } = options.terms(id);
    const pool = origin && pools.pool(id, origin);
    const rttMs = pool?.rttMs;
    return {
      networkId: id,
      state: allowed && !isSpent({ budgetBytes }, tally.of(id).receivedBytes) ? 'up' : 'out',
      ...(rttMs === undefined ? {} : { rttMs }),
      costly,
      ...(budgetBytes === undefined
        ? {}
        : { budgetBytes: Math.max(0, budgetBytes - tally.of(id).receivedBytes) }),
      freeRequests: Math.max(0, Math.min(pool?.free ?? 0, options.permitted(id))),
      warmRequests: pool?.warm ?? 0,
      ...(pool?.isSeparate === true ? { separateConnections: true } : {}),
    };
  });
}
