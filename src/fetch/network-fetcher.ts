import { createChunkScheduler, type ConfiguredChunkScheduler, type NetworkId } from '../chunks';
import type {
  CarriageReport,
  CarriedChunk,
  CarriedNetwork,
  ConnectionSample,
  SubflowSample,
  WantedPathState,
} from '../core';
import { defaultInterfaces } from '../kernel';
import type { Clock } from '../ports';
import { Announcements } from './announcements';
import type { SocketNative } from './bound-connect';
import type { ObjectRequest, ObjectSink } from './fetch-object';
import { watchNetworks } from './kernel';
import { preferredNetwork, type Network } from './network';
import { NetworkPools } from './network-pools';
import { OriginBook } from './origin-book';
import { isSpent, spentReason, termsOf, type NetworkTerms } from './network-terms';
import { RangeDriver } from './range-driver';
import type { ObjectHandle } from './range-driver-options';
import { RememberedAddresses } from './remembered-addresses';
import { createLookUp } from './resolve';
import { watchSuspend } from './suspend';

export interface NetworkFetcherOptions {
  addon: SocketNative;
  clock: Clock;
  /** Default: ours. */
  scheduler?: ConfiguredChunkScheduler;
  /** Uses only the network whose default route has the lowest metric. */
  single?: boolean;
  /** Certificate authorities to trust beside the system's, PEM. */
  extraCa?: string | undefined;
  /** The stream's own origin. Default: the first that is asked for. */
  home?: string | undefined;
  /** False for an address that the stream must not reach. Default: all are permitted. */
  permits?: ((address: string) => boolean) | undefined;
  onChunk?: (chunk: CarriedChunk) => void;
  /** The networks to use. Default: those of the kernel. */
  networks?: readonly Network[];
  /** Interfaces with a default route, the lowest metric first. Default: those of the kernel. */
  defaultInterfaces?: () => readonly string[];
  onNetworks?: (networks: readonly Network[]) => void;
}

/** The user's settings of a costly network. */
export type NetworkPrice = Omit<NetworkTerms, 'allowed'>;

/** Fetches over every network of this machine at once, without any privilege. */
export class NetworkFetcher {
  readonly #driver: RangeDriver;
  readonly #pools: NetworkPools;
  readonly #book = new OriginBook();
  readonly #announcements: Announcements;
  readonly #addresses: RememberedAddresses;
  readonly #prices = new Map<NetworkId, NetworkPrice>();
  readonly #wanted = new Map<NetworkId, WantedPathState>();
  readonly #stopWatching: (() => void)[];
  readonly #options: NetworkFetcherOptions;
  /** Resolves when the networks are known. */
  readonly ready: Promise<void>;

  constructor(options: NetworkFetcherOptions) {
    this.#options = options;
    this.#addresses = new RememberedAddresses(createLookUp(), options.clock);
    const watch = watchNetworks((networks) => this.#networksChanged(networks));
    const dial = {
      addon: options.addon,
      resolve: this.#addresses.resolve,
      ...(options.networks ? {} : { reaches: watch.reaches }),
      permits: options.permits,
      extraCa: options.extraCa,
    };
    this.#pools = new NetworkPools(dial, options.home);
    this.#driver = new RangeDriver({
      scheduler: options.scheduler ?? createChunkScheduler(),
      pools: this.#pools,
      book: this.#book,
      clock: options.clock,
      terms: (networkId) => this.#termsOf(networkId),
      ...(options.onChunk ? { onChunk: options.onChunk } : {}),
    });
    this.#announcements = new Announcements(this.#driver, options.clock);
    const suspend = watchSuspend(() => {
      this.#pools.reset('the machine was suspended');
      this.#driver.kick();
    });
    this.#stopWatching = [() => watch.close(), suspend];
    this.ready = watch.ready;
  }

  /** The clock of `neededAtMs`. */
  nowMs(): number {
    return this.#options.clock.nowMs();
  }

  get networks(): Network[] {
    return this.#pools.networks();
  }

  /** Opens a connection over each network in use, if none is idle. The next request then knows the round trips. */
  prepare(origin: URL): void {
    for (const { id } of this.#pools.networks()) {
      // A backup is kept connected, so that the policies can see that it is alive.
      if (this.wanted(id) === 'closed' || this.isSpent(id)) continue;
      this.#pools.pool(id, origin)?.warmUp();
    }
  }

  async fetch(request: ObjectRequest, sink: ObjectSink): Promise<ObjectHandle> {
    await this.ready;
    await this.#pools.locateHome(request.url.origin);
    this.prepare(request.url);
    return this.#announcements.read(request, sink) ?? this.#driver.fetch(request, sink);
  }

  /**
   * Announces the probable next request of a stream's reader. A later announcement or request of the stream
   * replaces it.
   */
  announce(request: ObjectRequest & { stream: string }): void {
    this.#announcements.announce(request);
  }

  get busy(): boolean {
    return this.#driver.busy;
  }

  /** Applies the user's settings of a network. */
  setPrice(networkId: NetworkId, price: NetworkPrice): void {
    this.#prices.set(networkId, price);
    this.#driver.kick();
  }

  /** Applies a policy's wanted state of a network. */
  want(networkId: NetworkId, state: WantedPathState): void {
    this.#wanted.set(networkId, state);
    this.#driver.kick();
  }

  wanted(networkId: NetworkId): WantedPathState {
    return this.#wanted.get(networkId) ?? 'active';
  }

  /** Bytes that came over a network, which may be gone, since the fetcher began. */
  receivedBytes(networkId: NetworkId): number {
    return this.#driver.tally.of(networkId).receivedBytes;
  }

  /** True once a network has spent its budget. */
  isSpent(networkId: NetworkId): boolean {
    return isSpent(this.#prices.get(networkId) ?? {}, this.receivedBytes(networkId));
  }

  /** An origin that must be fetched in whole objects, and why; undefined while ranges are joined. */
  get notJoined(): { origin: string; reason: string } | undefined {
    return this.#book.notJoined;
  }

  /** Counters of every network, and the scheduler's belief about it. */
  report(): CarriageReport {
    const ids = this.#pools.networks().map(({ id }) => id);
    const exclusions = this.#book.exclusions(ids, this.#options.clock.nowMs());
    const beliefs = new Map(this.#driver.beliefs.map((belief) => [belief.networkId, belief]));
    const networks = ids.map((networkId): CarriedNetwork => {
      const belief = beliefs.get(networkId);
      const outReason = this.isSpent(networkId)
        ? spentReason(this.#prices.get(networkId) ?? {})
        : exclusions.find((one) => one.networkId === networkId)?.reason;
      return {
        networkId,
        health: belief?.health ?? 'untried',
        rateBps: belief?.rateBps ?? 0,
        rttMs: belief?.rttMs ?? 0,
        ...this.#driver.tally.of(networkId),
        ...(outReason === undefined ? {} : { outReason }),
      };
    });
    return {
      carriage: ids.length > 1 ? 'ranges' : 'single',
      reason: this.#driver.reason,
      networks,
      inOrderBytes: this.#driver.tally.inOrderBytes,
    };
  }

  /**
   * The estimators' view: one connection with a subflow a network. Bytes, silence and head-of-line blocking then
   * mean the same as with MPTCP.
   */
  sample(): ConnectionSample | undefined {
    const subflows = this.#pools.networks().flatMap(({ id }) => this.#subflow(id) ?? []);
    const [first] = subflows;
    if (!first) return undefined;
    return {
      connectionId: 'ranges',
      kind: 'ranges',
      local: first.local,
      remote: first.remote,
      inOrderBytes: this.#driver.tally.inOrderBytes,
      subflows,
    };
  }

  close(): void {
    for (const stop of this.#stopWatching.splice(0)) stop();
    this.#announcements.close();
    this.#driver.close();
    this.#pools.close();
  }

  #termsOf(networkId: NetworkId): NetworkTerms {
    return termsOf(networkId, {
      networkIds: () => this.#pools.networks().map(({ id }) => id),
      wanted: (id) => this.wanted(id),
      price: (id) => this.#prices.get(id),
      receivedBytes: (id) => this.receivedBytes(id),
    });
  }

  #networksChanged(found: readonly Network[]): void {
    const all = this.#options.networks ?? found;
    const networks = this.#options.single === true ? this.#preferredOf(all) : all;
    for (const networkId of this.#pools.setNetworks(networks)) {
      this.#book.forget(networkId);
      this.#addresses.forget(networkId);
      this.#driver.networkLost(networkId);
    }
    this.#driver.kick();
    this.#options.onNetworks?.(networks);
  }

  #preferredOf(networks: readonly Network[]): Network[] {
    const defaults = (this.#options.defaultInterfaces ?? defaultInterfaces)();
    const preferred = preferredNetwork(networks, defaults);
    return preferred ? [preferred] : [];
  }

  #subflow(networkId: NetworkId): SubflowSample | undefined {
    const infos = this.#pools.connections(networkId).flatMap(({ bound }) => bound.info() ?? []);
    const [info] = infos;
    if (!info) return undefined;
    const smallest = (values: (number | undefined)[]): number | undefined => {
      const known = values.filter((value) => value !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    };
    // The kernel reports 0 for a round trip that it has not measured.
    const measured = (valueUs?: number): number | undefined =>
      valueUs === 0 ? undefined : valueUs;
    const rcvRttUs = smallest(infos.map(({ tcp }) => measured(tcp?.rcvRttUs)));
    const minRttUs = smallest(infos.map(({ tcp }) => measured(tcp?.minRttUs)));
    const awaitedMs = this.#driver.awaitedMs(networkId);
    const lastDataRecvMs = smallest(infos.map(({ tcp }) => tcp?.lastDataRecvMs));
    return {
      subflowId: networkId,
      pathId: networkId,
      interfaceName: networkId,
      local: info.local,
      remote: info.remote,
      state: this.wanted(networkId),
      bytesReceived: this.#driver.tally.of(networkId).receivedBytes,
      ...(rcvRttUs === undefined ? {} : { rcvRttUs }),
      ...(minRttUs === undefined ? {} : { minRttUs }),
      ...(lastDataRecvMs === undefined ? {} : { lastDataRecvMs }),
      ...(awaitedMs === undefined ? {} : { awaitedMs }),
    };
  }
}
