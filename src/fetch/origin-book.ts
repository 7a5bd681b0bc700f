import type { NetworkId } from '../chunks';
import { keepNewest } from '../core';
import { EdgeMemory } from './edge-memory';

/**
 * A network whose answer did not come from the origin is tried again after this time: a user may sign in to the
 * portal.
 */
const OUT_MS = 30_000;
/**
 * Wait after the first failed connection; it doubles with each further one, up to the second value. An attempt takes 4 s
 * by itself, and after a dead zone a viewer waits. Chosen; no measurement.
 */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 3000;
/** The longest wait after a refused connection: a server that restarts is asked soon, and a refusal costs a round trip. Chosen; no measurement. */
const MAX_REFUSED_BACKOFF_MS = 1000;
/**
 * After its wait a network counts as out for this time, unless it is connected: an attempt may be under way. TCP has 4 s, TLS
 * 5 s, a new lookup of the name 1.8 s, and the driver decides each second.
 */
const RECONNECT_MS = 12_000;
/** Waiting time for answers without a Retry-After, and the least one. */
const LATER_MS = 1000;
/** A limit of requests at a time is tried again after this time: the server may have been busy. Chosen; no measurement. */
const LIMITED_MS = 60_000;
/**
 * An origin that is fetched whole is asked for ranges again after this time, which doubles up to the second value. Apache's ETag is
 * weak in the second after a file was written, and live segments are asked for then. Chosen; no measurement.
 */
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 300_000;
/** Answers in a row that cannot be joined, of an origin whose answers were joined before. One may be an odd edge's. */
const MAX_WEAK = 3;

/** The reason of a network that the server has answered: it is no evidence that the server is out of reach. */
export const ASKS_TO_WAIT = 'the server asks to wait';

export interface Exclusion {
  untilMs: number;
  reason: string;
  /** Another host answers in place of the origin, so a short wait changes nothing. */
  isImpostor?: boolean;
  /** No connection was made. */
  isConnect?: boolean;
}

interface NetworkFacts {
  exclusion: Exclusion | undefined;
  failedConnects: number;
  /** The reason of a failed connection, until one is made. */
  unreached: string | undefined;
  /** The last connection, if its server refused it. */
  refused: RefusedConnection | undefined;
  /** The server refused one more request while it answered this many. */
  limit: { requests: number; untilMs: number } | undefined;
}

/** A connection that the server's host refused: nothing listens there. */
export interface RefusedConnection {
  atMs: number;
}

/** A connection that was not made. */
interface FailedConnection {
  reason: string;
  /** The server's host answers, and nothing listens there. */
  isRefused?: boolean;
}

/** The knowledge about one origin, over all its objects. */
export class OriginFacts {
  #weakAnswers = 0;
  #joins = false;
  /** The next time at which an origin without ranges is asked for them, and the wait after that. */
  #retry: { atMs: number; waitMs: number } | undefined;
  /** Hosts to which more than one network was redirected. */
  readonly trustedHosts = new Set<string>();
  readonly edges = new EdgeMemory();
  readonly #networks = new Map<NetworkId, NetworkFacts>();

  /** An answer was a part that can be joined. */
  get joins(): boolean {
    return this.#joins;
  }

  joined(): void {
    this.#joins = true;
    this.#weakAnswers = 0;
    this.#retry = undefined;
  }

  /** The server answered a range with everything, or without a strong validator. */
  weak(): void {
    this.#weakAnswers += 1;
  }

  /** Objects may be fetched in ranges, over several networks at once. */
  get joinable(): boolean {
    return this.#hasRanges && !this.edges.differ;
  }

  /** True if the next object is asked for in ranges: its origin has them, or one object may show whether it does now. */
  asksForRanges(nowMs: number): boolean {
    const mayJoin = !this.edges.differ || this.edges.isRetried(nowMs);
    if (this.#hasRanges) return mayJoin;
    const { atMs, waitMs } = (this.#retry ??= {
      atMs: nowMs + FIRST_RETRY_MS,
      waitMs: FIRST_RETRY_MS,
    });
    if (nowMs < atMs) return false;
    const nextMs = Math.min(MAX_RETRY_MS, 2 * waitMs);
    this.#retry = { atMs: nowMs + nextMs, waitMs: nextMs };
    return mayJoin;
  }

  get #hasRanges(): boolean {
    return this.#weakAnswers < (this.#joins ? MAX_WEAK : 1);
  }

  /** The reason why they may not; undefined when they may. */
  get wholeReason(): string | undefined {
    if (!this.#hasRanges) return 'the server has no byte ranges with a strong validator';
    if (!this.joinable) return 'the networks reach servers whose validators differ';
    return undefined;
  }

  /** Excludes a network over which another host answers. */
  out(networkId: NetworkId, reason: string, nowMs: number): void {
    this.#of(networkId).exclusion = { untilMs: nowMs + OUT_MS, reason, isImpostor: true };
  }

  /** The server refused a request over a network while it answered this many others. */
  limitRequests(networkId: NetworkId, requests: number, nowMs: number): void {
    const most = Math.min(requests, this.mostRequests(networkId, nowMs));
    this.#of(networkId).limit = { requests: most, untilMs: nowMs + LIMITED_MS };
  }

  /** Requests that the server answers at a time over a network; Infinity if no limit is known. */
  mostRequests(networkId: NetworkId, nowMs: number): number {
    const { limit } = this.#of(networkId);
    return limit !== undefined && nowMs < limit.untilMs ? limit.requests : Infinity;
  }

  /** The server asked to wait. */
  later(networkId: NetworkId, retryAfterMs: number | undefined, nowMs: number): void {
    const waitMs = Math.max(LATER_MS, retryAfterMs ?? 0);
    this.#of(networkId).exclusion = { untilMs: nowMs + waitMs, reason: ASKS_TO_WAIT };
  }

  connectFailed(
    networkId: NetworkId,
    { reason, isRefused = false }: FailedConnection,
    nowMs: number,
  ): void {
    const facts = this.#of(networkId);
    const maxMs = isRefused ? MAX_REFUSED_BACKOFF_MS : MAX_BACKOFF_MS;
    const backoffMs = Math.min(maxMs, FIRST_BACKOFF_MS * 2 ** facts.failedConnects);
    facts.failedConnects += 1;
    facts.unreached = reason;
    facts.refused = isRefused ? { atMs: nowMs } : undefined;
    facts.exclusion = { untilMs: nowMs + backoffMs, reason, isConnect: true };
  }

  /** A connection was made; its server may be slow. */
  connected(networkId: NetworkId): void {
    const facts = this.#of(networkId);
    facts.refused = undefined;
    facts.unreached = undefined;
  }

  /** The reason of the last connection over this network, if it failed. */
  unreachedOver(networkId: NetworkId): string | undefined {
    return this.#of(networkId).unreached;
  }

  answered(networkId: NetworkId): void {
    this.#of(networkId).failedConnects = 0;
  }

  /** The last connection over this network, if the server's host refused it. */
  refusedOver(networkId: NetworkId): RefusedConnection | undefined {
    return this.#of(networkId).refused;
  }

  /** The exclusion of a network at present. */
  exclusionOf(networkId: NetworkId, nowMs: number): Exclusion | undefined {
    const { exclusion } = this.#of(networkId);
    return exclusion && exclusion.untilMs > nowMs ? exclusion : undefined;
  }

  /** Why a network is out: its exclusion, also while it is connected again. */
  outOf(networkId: NetworkId, nowMs: number): string | undefined {
    const { exclusion, unreached } = this.#of(networkId);
    const isReconnecting = unreached !== undefined && exclusion?.isConnect === true;
    const untilMs = (exclusion?.untilMs ?? -Infinity) + (isReconnecting ? RECONNECT_MS : 0);
    return nowMs < untilMs ? exclusion?.reason : undefined;
  }

  /** Forgets a network, so that it starts again when it returns. */
  forget(networkId: NetworkId): void {
    this.#networks.delete(networkId);
    this.edges.networkChanged();
  }

  #of(networkId: NetworkId): NetworkFacts {
    const known = this.#networks.get(networkId) ?? {
      exclusion: undefined,
      failedConnects: 0,
      unreached: undefined,
      refused: undefined,
      limit: undefined,
    };
    this.#networks.set(networkId, known);
    return known;
  }
}

/** Origins whose facts are kept: a stream has few. Chosen; no measurement. */
const MAX_ORIGINS = 64;
/** A reason holds texts of the server: the target of a redirect, a validator. */
const REASON_CHARS = 300;

/** Facts by origin, of those used last. */
export class OriginBook {
  readonly #origins = new Map<string, OriginFacts>();

  of(origin: string): OriginFacts {
    const known = this.#origins.get(origin) ?? new OriginFacts();
    keepNewest(this.#origins, origin, known, MAX_ORIGINS);
    return known;
  }

  /** An origin whose answers cannot be joined, and why. Undefined while the answers of any origin are joined. */
  get notJoined(): { origin: string; reason: string } | undefined {
    const origins = [...this.#origins];
    if (origins.some(([, facts]) => facts.joins && facts.joinable)) return undefined;
    for (const [origin, { wholeReason }] of origins) {
      if (wholeReason !== undefined) return { origin, reason: wholeReason };
    }
    return undefined;
  }

  forget(networkId: NetworkId): void {
    for (const facts of this.#origins.values()) facts.forget(networkId);
  }

  /** The networks that are out at present, with origin and reason. */
  exclusions(
    networkIds: readonly NetworkId[],
    nowMs: number,
  ): { networkId: NetworkId; reason: string }[] {
    return networkIds.flatMap((networkId) =>
      [...this.#origins].flatMap(([origin, facts]) => {
        const reason = facts.outOf(networkId, nowMs);
        if (reason === undefined) return [];
        return [{ networkId, reason: `${origin}: ${reason}`.slice(0, REASON_CHARS) }];
      }),
    );
  }
}
