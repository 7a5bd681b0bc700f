import type { NetworkId } from '../chunks';
import type { ExchangeFailure } from './exchange';
import type { Exclusion, OriginFacts, RefusedConnection } from './origin-book';

/**
 * Failures without a new byte before a network is left for the object. The scheduler repeats a failed request after
 * 1, 2, 3... s, so a server that breaks every connection is left after 15 s. After an orderly end it repeats at once.
 */
const MAX_FRUITLESS = 6;
/** An empty answer, or none in 10 s, counts as this many failures. */
const EMPTY_FAILURES = 2;
/** A refused connection counts as this many. The server is asked each second, so a network is left after 11 s. */
const REFUSED_FAILURES = 0.5;
/**
 * An object that no network can fetch fails after this time. It counts from the object's start, or from its last request
 * on an open connection. A player then decides anew. Chosen; no measurement.
 */
const STUCK_MS = 12_000;

/**
 * The same for a refused object while a last network could answer and is not asked: it is costly, or has faded. Also for
 * an object without an answer whose server refuses connections over all networks, and refused again meanwhile: a player
 * has other servers to ask.
 */
const REFUSED_MS = 1000;

/** Whether one network may fetch an object at present, and why not. */
export interface Standing {
  networkId: NetworkId;
  exclusion: Exclusion | undefined;
  /** The last connection, if the server refused it. */
  refused: RefusedConnection | undefined;
  /** The reason of a failed connection, until one is made; also while one is tried. */
  unreached: string | undefined;
  /** The reason of the player's own terms: it is not in use, or its budget is spent. */
  barredBy: string | undefined;
}

/** The state of an object's requests. */
export interface Progress {
  /** A request for it is under way. */
  isFetched: boolean;
  /** One of them is on an open connection. */
  isConnected: boolean;
  /** Its reader takes no bytes now. */
  isPaused: boolean;
  /** A network refused it for good, and none gave a part of it. */
  isRefused: boolean;
  /** No answer counts yet. */
  isUntouched: boolean;
}

/** Why an answer may not come from the origin: another host gave it, or it is a web page. */
export interface Suspicion {
  host: string;
  reason: string;
  isPage: boolean;
}

const isAble = ({ exclusion, unreached }: Standing): boolean =>
  !exclusion && unreached === undefined;

const lacksConnection = ({ exclusion, unreached }: Standing): boolean =>
  exclusion ? exclusion.isConnect === true : unreached !== undefined;

/** The standing of each network for one object: excluded, suspected, redirected, or without a new byte. */
export class ObjectNetworks {
  readonly exclusions = new Map<NetworkId, Exclusion>();
  /** Redirect target of each network. */
  readonly #targets = new Map<NetworkId, URL>();
  /** Suspected networks with their answer, which may not come from the origin. */
  readonly suspects = new Map<NetworkId, Suspicion>();
  /** Networks that brought parts of it that can be joined. */
  readonly joined = new Set<NetworkId>();
  readonly #fruitless = new Map<NetworkId, number>();
  /** Its start, or the last time at which a request for it was on an open connection, or its reader took no bytes. */
  #aliveMs: number | undefined;
  /** Start of the time in which no network can fetch it. */
  #stuckSinceMs: number | undefined;
  /** Start of the time in which it was refused and a network that could answer was not asked. */
  #unaskedSinceMs: number | undefined;
  /** Start of the time in which its server refuses connections over all networks. */
  #closedSinceMs: number | undefined;
  readonly #url: URL;
  readonly #facts: OriginFacts;

  /** @param url of the object, before redirects */
  constructor(url: URL, facts: OriginFacts) {
    this.#url = url;
    this.#facts = facts;
  }

  urlOver(networkId: NetworkId): URL {
    return this.#targets.get(networkId) ?? this.#url;
  }

  redirected(networkId: NetworkId, target: URL): void {
    this.#targets.set(networkId, target);
  }

  /**
   * The next request asks at the object's own address. Several requests may have gone to a target before it failed, so
   * the network may already have another.
   * @returns false if `url` is the object's own address
   */
  leaveTarget(networkId: NetworkId, url: URL): boolean {
    if (url === this.#url) return false;
    if (this.#targets.get(networkId) === url) this.#targets.delete(networkId);
    return true;
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

  /** A request over a network failed and brought no new byte. A network that went is no failure. */
  failed(networkId: NetworkId, { kind, reason, isRefused = false }: ExchangeFailure): void {
    if (kind === 'lost') return;
    this.broughtNothing(networkId, reason, isRefused ? REFUSED_FAILURES : 1);
  }

  /** A network is excluded for good. */
  get hasExcluded(): boolean {
    return [...this.exclusions.values()].some(({ untilMs }) => untilMs === Infinity);
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

  /**
   * True if no network can fetch it: all are excluded, or the time limit has passed. A network that cannot answer now keeps
   * no refusal back. An attempt to connect does not extend the time limit after one over the same network failed.
   */
  isHopeless(
    standings: readonly Standing[],
    { isFetched, isConnected, isPaused, isRefused, isUntouched }: Progress,
    nowMs: number,
  ): boolean {
    const isOpen = standings.some(
      ({ exclusion, barredBy }) => !exclusion && barredBy === undefined,
    );
    const inUse = standings.filter(({ barredBy }) => barredBy === undefined);
    const isClosed = inUse.length > 0 && inUse.every(({ refused }) => refused !== undefined);
    const since = (isSo: boolean, knownMs: number | undefined): number | undefined =>
      isSo ? (knownMs ?? nowMs) : undefined;
    const isWaiting = !isFetched && inUse.some(isAble);
    const isAlive = isConnected || isPaused || isWaiting;
    this.#aliveMs = isAlive ? nowMs : (this.#aliveMs ?? nowMs);
    const isStuck = !isAlive && !inUse.some(isAble);
    // Attempts to connect took the time since then.
    const isUnreached = inUse.length > 0 && inUse.every(lacksConnection);
    const stuckSinceMs = isUnreached ? this.#aliveMs : nowMs;
    this.#stuckSinceMs = isStuck ? (this.#stuckSinceMs ?? stuckSinceMs) : undefined;
    this.#unaskedSinceMs = since(isOpen && isRefused && !isFetched, this.#unaskedSinceMs);
    this.#closedSinceMs = since(isClosed && isUntouched, this.#closedSinceMs);
    const isGone = ({ exclusion, barredBy }: Standing): boolean =>
      exclusion?.untilMs === Infinity ||
      exclusion?.isImpostor === true ||
      (isRefused && (barredBy !== undefined || exclusion?.isConnect === true));
    const areGone = !isFetched && standings.length > 0 && standings.every(isGone);
    const hasPassed = (sinceMs: number | undefined, limitMs: number): boolean =>
      sinceMs !== undefined && nowMs - sinceMs >= limitMs;
    const closedSinceMs = this.#closedSinceMs ?? Infinity;
    // An earlier object may have left the refusals that began this time.
    const isStillClosed = inUse.every(({ refused }) => (refused?.atMs ?? 0) > closedSinceMs);
    return (
      areGone ||
      hasPassed(this.#stuckSinceMs, STUCK_MS) ||
      hasPassed(this.#unaskedSinceMs, REFUSED_MS) ||
      (isStillClosed && hasPassed(this.#closedSinceMs, REFUSED_MS))
    );
  }
}
