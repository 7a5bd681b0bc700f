import { isIP } from 'node:net';
import type { NetworkId } from '../chunks';
import { keepNewest, toError } from '../core';
import type { Clock } from '../ports';
import type { Network } from './network';
import type { LookUp, Resolve } from './resolve';
import { settleWithin } from './settle-within';

/**
 * An answer of this age is renewed while its addresses are dialled. Shorter than the 20 to 60 s of usual CDNs. Chosen; no
 * measurement.
 */
const RENEW_AFTER_MS = 10_000;
/** An older answer is used only if no newer one comes in time: its addresses may have another owner. Chosen; no measurement. */
const MAX_AGE_MS = 300_000;
/** The wait for an answer where an older one is known, from the question on. RFC 8767, section 5: "client response timer". */
const WAIT_MS = 1800;
/** The wait where none is known. resolv.conf(5): the second nameserver is asked after 5 s, the third after 10 s. */
const FIRST_WAIT_MS = 11_000;
/** Hosts remembered for each network; a manifest can name any number. Chosen; no measurement. */
const MAX_HOSTS = 256;

interface Answer {
  addresses: readonly string[];
  atMs: number;
}

interface Lookup {
  /** Rejects after `FIRST_WAIT_MS`. */
  answer: Promise<readonly string[]>;
  sinceMs: number;
}

interface NetworkAnswers {
  known: Map<string, Answer>;
  running: Map<string, Lookup>;
}

/**
 * The last good addresses of each host, by network. They are dialled while the resolver is slow or out of reach. Where a
 * network has no answer of its own, another network's is used. An address is only a proposal: whoever dials checks it.
 */
export class RememberedAddresses {
  readonly #lookUp: LookUp;
  readonly #clock: Clock;
  readonly #networks = new Map<NetworkId, NetworkAnswers>();
  /** The last answer of any network, also of one that went. */
  readonly #last = new Map<string, readonly string[]>();

  constructor(lookUp: LookUp, clock: Clock) {
    this.#lookUp = lookUp;
    this.#clock = clock;
  }

  readonly resolve: Resolve = async (host, network, isAnew = false) => {
    if (isIP(host) !== 0) return [host];
    const known = this.#of(network.id).known.get(host);
    const ageMs = known ? this.#clock.nowMs() - known.atMs : Infinity;
    if (!known || isAnew || ageMs >= MAX_AGE_MS) return [...(await this.#await(host, network))];
    if (ageMs >= RENEW_AFTER_MS) this.#ask(host, network).answer.catch(() => undefined);
    return [...known.addresses];
  };

  /** A network went or changed its addresses: on its return it may be another one. */
  forget(networkId: NetworkId): void {
    this.#networks.delete(networkId);
  }

  /** A new answer; an older one, its own before another network's, if it does not come in time. */
  async #await(host: string, network: Network): Promise<readonly string[]> {
    const older = (): readonly string[] | undefined =>
      this.#of(network.id).known.get(host)?.addresses ?? this.#last.get(host);
    const { answer, sinceMs } = this.#ask(host, network);
    try {
      return await this.#within(answer, sinceMs + WAIT_MS - this.#clock.nowMs());
    } catch {
      return older() ?? answer.catch((error: unknown) => older() ?? Promise.reject(toError(error)));
    }
  }

  /** Asks the resolver, at most once at a time. A late answer is remembered too. */
  #ask(host: string, network: Network): Lookup {
    const { known, running } = this.#of(network.id);
    const before = running.get(host);
    if (before) return before;
    const late = this.#lookUp(host, network).then((addresses) => {
      keepNewest(known, host, { addresses, atMs: this.#clock.nowMs() }, MAX_HOSTS);
      keepNewest(this.#last, host, addresses, MAX_HOSTS);
      return addresses;
    });
    const answer = this.#within(late, FIRST_WAIT_MS).finally(() => running.delete(host));
    const lookup = { answer, sinceMs: this.#clock.nowMs() };
    running.set(host, lookup);
    return lookup;
  }

  #of(networkId: NetworkId): NetworkAnswers {
    const own = this.#networks.get(networkId) ?? { known: new Map(), running: new Map() };
    this.#networks.set(networkId, own);
    return own;
  }

  /** @throws Error after `maxMs` */
  #within<T>(promise: Promise<T>, maxMs: number): Promise<T> {
    const late = (): Promise<T> =>
      Promise.reject(new Error(`DNS did not answer within ${maxMs} ms`));
    return settleWithin(this.#clock, maxMs, promise, late);
  }
}
