import type { NetworkId } from '../chunks';
import type { FetchObject } from './fetch-object';
import type { NetworkTally } from './network-tally';
import { isSpent, spentReason, type NetworkTerms } from './network-terms';
import type { Standing } from './object-networks';

/** What decides the standing of a network. */
export interface StandingContext {
  terms: (networkId: NetworkId) => NetworkTerms;
  tally: NetworkTally;
  nowMs: number;
}

export function standingOf(
  { networks, facts, minBytes }: FetchObject,
  networkId: NetworkId,
  { terms, tally, nowMs }: StandingContext,
): Standing {
  const own = terms(networkId);
  const neededBytes = tally.of(networkId).receivedBytes + minBytes - 1;
  const spent = isSpent(own, neededBytes) ? spentReason(own) : undefined;
  return {
    networkId,
    exclusion: networks.exclusionOf(networkId, nowMs),
    refused: facts.refusedOver(networkId),
    unreached: facts.unreachedOver(networkId),
    barredBy: own.allowed ? spent : 'not in use',
  };
}

/** A network and its objection, for the reason of a failure. */
export const objectionOf = ({ networkId, barredBy, exclusion, unreached }: Standing): string =>
  `${networkId}: ${barredBy ?? exclusion?.reason ?? unreached ?? 'free'}`;
