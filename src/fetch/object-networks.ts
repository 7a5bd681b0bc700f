import type { NetworkId } from '../chunks';
import type { Exclusion, OriginFacts } from './origin-book';

/**
 * Failures without a new byte before a network is left for the object. The scheduler repeats a failed request after
 * 1, 2, 3... s, so a server that breaks every connection is left after 15 s.
 */
const MAX_FRUITLESS = 6;
/** An empty answer, or none in 10 s, counts as this many failures. */
const EMPTY_FAILURES = 2;
/** An object that no network can fetch fails after this time. A player then decides anew. */
const STUCK_MS = 12_000;

/** Why an answer may not come from the origin: another host gave it, or it is a web page. */
export interface Suspicion {
  host: string;
  reason: string;
  isPage: boolean;
}

/** The standing of each network for one object: excluded, suspected, redirected, or without a new byte. */
export class ObjectNetworks {
  readonly exclusions = new Map<NetworkId, Exclusion>();
  /** Redirect target of each network. */
  readonly redirects = new Map<NetworkId, URL>();
  /** Suspected networks with their answer, which may not come from the origin. */
  readonly suspects = new Map<NetworkId, Suspicion>();
  readonly #fruitless = new Map<NetworkId, number>();
  /** Start of the time in which no network can fetch it. */
  #stuckSinceMs: number | undefined;
  readonly #url: URL;
  readonly #facts: OriginFacts;

  /** @param url of the object, before redirects */
  constructor(url: URL, facts: OriginFacts) {
    this.#url = url;
    this.#facts = facts;
  }

  urlOver(networkId: NetworkId): URL {
    return this.redirects.get(networkId) ?? this.#url;
  }

  /** A request over a network brought new bytes. */
  brought(networkId: NetworkId): void {
    this.#fruitless.delete(networkId);
  }

  /** A request over a network brought no new byte. Too many in a row exclude the network. */
  broughtNothing(networkId: NetworkId, reason: string, failures = EMPTY_FAILURES): void {
    const count = (this.#fruitless.get(networkId) ?? 0) + failures;
    this.#fruitless.set(networkId, count);
    if (count >= MAX_FRUITLESS) this.exclude(networkId, reason);
  }

  exclude(networkId: NetworkId, reason: string, untilMs = Infinity): void {
    this.exclusions.set(networkId, { untilMs, reason });
  }

  exclusionOf(networkId: NetworkId, nowMs: number): Exclusion | undefined {
    const exclusion = this.exclusions.get(networkId);
    return exclusion && exclusion.untilMs > nowMs
      ? exclusion
      : this.#facts.exclusionOf(networkId, nowMs);
  }

  /** True if no network can fetch it: all are excluded, or the time limit has passed. */
  isHopeless(isPossible: boolean, networkIds: readonly NetworkId[], nowMs: number): boolean {
    this.#stuckSinceMs = isPossible ? undefined : (this.#stuckSinceMs ?? nowMs);
    if (this.#stuckSinceMs === undefined) return false;
    const isForGood =
      networkIds.length > 0 &&
      networkIds
        .map((id) => this.exclusionOf(id, nowMs))
        .every((exclusion) => exclusion?.untilMs === Infinity || exclusion?.isImpostor === true);
    return isForGood || nowMs - this.#stuckSinceMs >= STUCK_MS;
  }
}
