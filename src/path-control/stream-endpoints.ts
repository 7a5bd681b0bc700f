import type { SampleBatch, WantedPathState } from '../core';
import type { TunnelState } from '../kernel';
import { makeOwnEndpoints, usableNetworks, type OwnEndpoints } from './endpoints/own-endpoints';
import type { SharedPathControl } from './shared-path-control';

export interface StreamEndpointsOptions {
  nowMs: () => number;
  /** Schedules one call and returns its cancellation. */
  later: (delayMs: number, work: () => void) => () => void;
  /** Whether the system sends to these servers through a tunnel. An endpoint of another network would bypass it. */
  findTunnel: (servers: readonly string[]) => Promise<TunnelState>;
  /** Called with the result of each attempt. */
  onResult: (result: OwnEndpoints) => void;
  /** Default: {@link usableNetworks}. */
  networks?: () => string[];
}

/** A stream whose connections received nothing for so long uses no endpoint. Chosen; no measurement. */
const IDLE_MS = 30_000;
/** Interval of attempts: a network may have come, a VPN too. Chosen; no measurement. */
const LOOK_MS = 2000;

/**
 * A shared control that makes endpoints (see {@link makeOwnEndpoints}) while a stream receives over MPTCP, and takes them
 * back after that. They concern every connection of this machine, so they are not made for a stream that does not need
 * them. They are made once the stream has a connection: before, the helper refuses them, and the network of its first
 * subflow would get one too, whose end would also end the first subflows of other programs.
 */
export function withStreamEndpoints(
  shared: SharedPathControl,
  options: StreamEndpointsOptions,
): SharedPathControl {
  const endpoints = new StreamEndpoints(shared, options);
  return {
    control: shared.control,
    claim: (owner) => shared.claim(owner),
    observe(owner, batch) {
      shared.observe(owner, batch);
      endpoints.observe(owner, batch);
    },
    async release(owner) {
      await shared.release(owner);
      await endpoints.forget(owner);
    },
    async close() {
      endpoints.close();
      await shared.close();
    },
  };
}

interface Use {
  receivedBytes: number;
  atMs: number;
  servers: readonly string[];
}

class StreamEndpoints {
  readonly #shared: SharedPathControl;
  readonly #options: StreamEndpointsOptions;
  /** Streams that receive over MPTCP. */
  readonly #uses = new Map<object, Use>();
  /** Networks with an endpoint, or that needed none. A path policy may have changed their state since. */
  #made = new Set<string>();
  /** States of the endpoints that an idle stream gave back, by network: a path policy may have closed one. */
  #idleStates = new Map<string, WantedPathState>();
  #lookMs = -Infinity;
  #work: Promise<void> = Promise.resolve();
  #isBusy = false;
  #stopWaiting = (): void => undefined;
  #isClosed = false;

  constructor(shared: SharedPathControl, options: StreamEndpointsOptions) {
    this.#shared = shared;
    this.#options = options;
  }

  observe(owner: object, { connections }: SampleBatch): void {
    const carrying = connections.filter(({ kind }) => kind === 'mptcp');
    if (this.#isClosed || carrying.length === 0) return;
    const bytes = carrying.flatMap(({ subflows }) => subflows.map((item) => item.bytesReceived));
    const receivedBytes = bytes.reduce((sum, one) => sum + one, 0);
    const nowMs = this.#options.nowMs();
    if (this.#uses.get(owner)?.receivedBytes !== receivedBytes) {
      const servers = [...new Set(carrying.map(({ remote }) => remote.address))];
      this.#uses.set(owner, { receivedBytes, atMs: nowMs, servers });
    }
    if (this.#isBusy || nowMs - this.#lookMs < LOOK_MS || !this.#isUsed()) return;
    this.#lookMs = nowMs;
    this.#inTurn(() => this.#look());
    this.#takeBackWhenIdle();
  }

  async forget(owner: object): Promise<void> {
    this.#uses.delete(owner);
    if (this.#uses.size === 0) {
      this.#inTurn(async () => {
        await this.#takeBack();
        this.#idleStates.clear();
      });
    }
    await this.#work;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
  }

  #isUsed(): boolean {
    const sinceMs = this.#options.nowMs() - IDLE_MS;
    return [...this.#uses.values()].some(({ atMs }) => atMs > sinceMs);
  }

  #inTurn(step: () => Promise<void>): void {
    this.#isBusy = true;
    const work = this.#work.then(step).catch(() => undefined);
    this.#work = work;
    void work.then(() => {
      if (this.#work === work) this.#isBusy = false;
    });
  }

  #takeBackWhenIdle(): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#options.later(IDLE_MS, () => {
      if (this.#isUsed()) this.#takeBackWhenIdle();
      else this.#inTurn(() => this.#takeBack());
    });
  }

  async #look(): Promise<void> {
    const servers = [...this.#uses.values()].flatMap((use) => use.servers);
    if ((await this.#options.findTunnel(servers)).state !== 'none') return this.#takeBack();
    const networks = (this.#options.networks ?? usableNetworks)();
    if (this.#isClosed || networks.every((name) => this.#made.has(name))) return;
    const wish = (network: string): WantedPathState | undefined =>
      this.#made.has(network) ? undefined : (this.#idleStates.get(network) ?? 'active');
    const result = await makeOwnEndpoints(this.#shared.control, networks, wish);
    this.#made = new Set([...this.#made, ...result.made]);
    this.#options.onResult(result);
  }

  async #takeBack(): Promise<void> {
    if (this.#made.size === 0) return;
    const { control } = this.#shared;
    this.#made.clear();
    if (!control.capability().available) return;
    const own = (await control.list()).filter(({ origin }) => origin === 'own');
    this.#idleStates = new Map(own.map(({ pathId, state }) => [pathId, state]));
    await control.restore();
  }
}
