import type { NetworkId } from '../chunks';
import { isNearer, spaceOfAddress, type AddressSpace } from './address-space';
import type { DialedConnection, DialOptions } from './dial';
import { keepsAddresses, type Network } from './network';
import { OriginPool } from './origin-pool';
import { waitUntil } from './wait-until';

/** Origins of one stream: its MPD, its media, a few CDNs. Above the limit the least recently used pool is closed. */
const MAX_ORIGINS = 16;

interface OwnPools {
  network: Network;
  /** Pools by origin and by the address space of the server that redirects to it; least recently used first. */
  pools: Map<string, OriginPool>;
}

/** Longest wait for the place of the stream's own origin. Chosen; no measurement. */
const LOCATE_MS = 2000;
/** After a wait in vain the next one comes no sooner. Chosen; no measurement. */
const LOCATE_AGAIN_MS = 30_000;

const URL_ONLY = /^\S+$/;

function notNearer(dial: DialOptions, from: AddressSpace): DialOptions {
  const { permits = () => true, spaceOf = spaceOfAddress } = dial;
  return {
    ...dial,
    permits: (address) => permits(address) && !isNearer(spaceOf(address) ?? 'loopback', from),
  };
}

/** The connections of every present network. When a network goes, its connections are closed. */
export class NetworkPools {
  readonly #dial: DialOptions;
  readonly #networks = new Map<NetworkId, OwnPools>();
  /** The stream's own origin: the one that was given, else the one that was asked for first. */
  #home: string | undefined;
  /** The address space of its servers, the outermost over all networks. Undefined until one was connected. */
  #homeSpace: AddressSpace | undefined;
  /** The last wait for its place, and its start. */
  #locating: Promise<unknown> | undefined;
  #locatingMs = -Infinity;

  /** @param home the stream's own origin, if it is known before its first request */
  constructor(dial: DialOptions, home?: string) {
    this.#dial = dial;
    this.#home = home;
  }

  networks(): Network[] {
    return [...this.#networks.values()].map(({ network }) => network);
  }

  /** Replaces the networks; returns the ids of those that went or lost an address in use. */
  setNetworks(networks: readonly Network[]): NetworkId[] {
    const gone: NetworkId[] = [];
    for (const [id, own] of this.#networks) {
      const now = networks.find((candidate) => candidate.id === id);
      const used = this.connections(id).flatMap(({ bound }) => bound.localAddress ?? []);
      if (now && keepsAddresses(own.network, now, used)) {
        own.network = now;
        continue;
      }
      gone.push(id);
      this.#close(id, now ? 'its addresses changed' : 'the network was lost');
    }
    const origins = new Set([...this.#networks.values()].flatMap(({ pools }) => [...pools.keys()]));
    for (const network of networks) {
      if (this.#networks.has(network.id)) continue;
      this.#networks.set(network.id, { network, pools: new Map() });
      // A network that joins will soon be used, so its handshake runs while the others carry the stream.
      for (const key of origins) {
        if (URL_ONLY.test(key)) this.pool(network.id, new URL(key))?.warmUp();
      }
    }
    return gone;
  }

  /**
   * The connections for requests to `to`, which may be another origin than the stream's after a redirection. Such a server
   * must not be nearer to this machine than the one that redirects, as a router or a printer is.
   */
  poolFor(networkId: NetworkId, to: URL, stream: URL): OriginPool | undefined {
    if (to.origin === stream.origin) return this.pool(networkId, to);
    const { spaceOf = spaceOfAddress } = this.#dial;
    const from = spaceOf(this.pool(networkId, stream)?.address ?? '');
    return this.pool(networkId, to, from ?? 'public');
  }

  /**
   * The connections to an origin over one network; undefined if that network is not present.
   * @param from the address space that redirects there
   */
  pool(networkId: NetworkId, origin: URL, from?: AddressSpace): OriginPool | undefined {
    const own = this.#networks.get(networkId);
    if (!own) return undefined;
    const key = from === undefined ? origin.origin : `${origin.origin} ${from}`;
    this.#home ??= origin.origin;
    const within = this.#withinReach(origin.origin);
    const dial = from === undefined ? within : notNearer(within, from);
    const known = own.pools.get(key);
    const pool = known ?? new OriginPool(new URL(origin.origin), () => own.network, dial);
    own.pools.delete(key);
    own.pools.set(key, pool);
    for (const [oldest, idle] of own.pools) {
      if (own.pools.size <= MAX_ORIGINS) break;
      own.pools.delete(oldest);
      idle.close('other origins are used now');
    }
    return pool;
  }

  /**
   * A manifest may name further origins. None may be nearer to this machine than its own, such as a router or a printer.
   * The stream's own name must not resolve to a nearer host later either. A host with a certificate for that name is
   * permitted, because a network may have another address for it (split DNS). This machine is refused always.
   */
  #withinReach(origin: string): DialOptions {
    const { permits = () => true, spaceOf = spaceOfAddress } = this.#dial;
    const isWithin = (address: string): boolean => {
      const home = this.#spaceOfHome();
      const isHome = origin === this.#home;
      if (isHome && home === undefined) return true;
      const space = spaceOf(address) ?? 'loopback';
      if (!isNearer(space, home ?? 'public')) return true;
      return isHome && space !== 'loopback' && origin.startsWith('https:');
    };
    return { ...this.#dial, permits: (address) => permits(address) && isWithin(address) };
  }

  /**
   * Connects to the stream's own origin before another one is asked, if the browser has fetched the manifest. Resolves
   * when it is known where that origin is, or after 2 s. Requests share one wait, and after one in vain the next ones do not
   * wait for half a minute.
   */
  async locateHome(asked: string): Promise<void> {
    const home = this.#home;
    const isLocated = (): boolean => this.#spaceOfHome() !== undefined;
    if (home === undefined || asked === home || isLocated()) return;
    if (performance.now() - this.#locatingMs >= LOCATE_AGAIN_MS) {
      this.#locatingMs = performance.now();
      for (const { id } of this.networks()) this.pool(id, new URL(home))?.warmUp();
      this.#locating = waitUntil(isLocated, LOCATE_MS);
    }
    await this.#locating;
  }

  #spaceOfHome(): AddressSpace | undefined {
    const { spaceOf = spaceOfAddress } = this.#dial;
    for (const { pools } of this.#networks.values()) {
      const { address } = pools.get(this.#home ?? '') ?? {};
      const space = address === undefined ? undefined : spaceOf(address);
      if (space === undefined) continue;
      if (this.#homeSpace === undefined || isNearer(this.#homeSpace, space))
        this.#homeSpace = space;
    }
    return this.#homeSpace;
  }

  /** The expected rate of a network. */
  expect(networkId: NetworkId, rateBps: number): void {
    for (const pool of this.#networks.get(networkId)?.pools.values() ?? []) pool.expect(rateBps);
  }

  connections(networkId: NetworkId): DialedConnection[] {
    const own = this.#networks.get(networkId);
    return own ? [...own.pools.values()].flatMap((pool) => pool.connections) : [];
  }

  /** Closes every connection, for example after a suspend, when the servers have forgotten them. */
  reset(reason: string): void {
    for (const { pools } of this.#networks.values()) {
      for (const pool of pools.values()) pool.close(reason);
      pools.clear();
    }
  }

  close(): void {
    for (const id of [...this.#networks.keys()]) this.#close(id, 'the fetcher was closed');
  }

  #close(id: NetworkId, reason: string): void {
    const own = this.#networks.get(id);
    this.#networks.delete(id);
    for (const pool of own?.pools.values() ?? []) pool.close(reason);
  }
}
