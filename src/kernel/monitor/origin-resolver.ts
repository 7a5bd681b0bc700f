import { lookup } from 'node:dns/promises';
import { keepNewest, type SocketAddress } from '../../core';
import { parseOrigin } from '../codec';

export type Lookup = (host: string) => Promise<string[]>;

/** Interval of name resolution; earlier addresses stay watched, because connections persist. */
const REFRESH_MS = 60_000;
/** Interval after a failed resolution. */
const RETRY_MS = 2_000;
/** Addresses remembered per name; content networks rotate them. */
const MAX_ADDRESSES = 256;
/** Names whose addresses are remembered: a page watches 32 at a time. */
const MAX_HOSTS = 256;

const systemLookup: Lookup = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Decides if a remote end belongs to one of the watched origins. */
export class OriginResolver {
  readonly #lookup: Lookup;
  /** `host` to its addresses so far, each with the turn of its last answer or connection. */
  readonly #addresses = new Map<string, Map<string, number>>();
  #turn = 0;
  readonly #failed = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Port to hosts. */
  #ports = new Map<number, Set<string>>();
  #closed = false;

  constructor(systemOrTestLookup: Lookup = systemLookup) {
    this.#lookup = systemOrTestLookup;
  }

  /** Replaces the origins; resolves once every name was looked up. Never rejects. */
  async watch(origins: readonly string[]): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#failed.clear();
    this.#ports = new Map();
    const names = new Set<string>();
    for (const origin of origins) {
      const target = parseOrigin(origin);
      if (!target) continue;
      const hosts = this.#ports.get(target.port) ?? new Set();
      this.#ports.set(target.port, hosts.add(target.host));
      if (target.literal) this.#remember(target.host, [target.host]);
      else names.add(target.host);
    }
    await Promise.all([...names].map((host) => this.#resolve(host)));
  }

  get watching(): boolean {
    return this.#ports.size > 0;
  }

  /** Names that never resolved, including the last attempt. */
  get unresolvedHosts(): string[] {
    return [...this.#failed].filter((host) => !this.#addresses.get(host)?.size);
  }

  /** Every watched remote end known so far. */
  remotes(): SocketAddress[] {
    const ends: SocketAddress[] = [];
    for (const [port, hosts] of this.#ports) {
      for (const host of hosts) {
        for (const address of this.#addresses.get(host)?.keys() ?? []) ends.push({ address, port });
      }
    }
    return ends;
  }

  matches(remote: SocketAddress): boolean {
    const hosts = this.#ports.get(remote.port);
    if (!hosts) return false;
    for (const host of hosts) {
      const known = this.#addresses.get(host);
      if (known?.has(remote.address) !== true) continue;
      this.#turn += 1;
      known.set(remote.address, this.#turn);
      return true;
    }
    return false;
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Adds addresses of a name. The oldest ones without a connection make room. */
  #remember(host: string, found: readonly string[]): void {
    const known = this.#addresses.get(host) ?? new Map<string, number>();
    this.#turn += 1;
    for (const address of found) known.set(address, this.#turn);
    const byAge = [...known].sort(([, a], [, b]) => a - b);
    for (const [address] of byAge.slice(0, -MAX_ADDRESSES)) known.delete(address);
    keepNewest(this.#addresses, host, known, MAX_HOSTS);
  }

  async #resolve(host: string): Promise<void> {
    let again = REFRESH_MS;
    try {
      this.#remember(host, await this.#lookup(host));
      this.#failed.delete(host);
    } catch {
      this.#failed.add(host);
      again = RETRY_MS;
    }
    const wanted = [...this.#ports.values()].some((hosts) => hosts.has(host));
    if (this.#closed || !wanted) return;
    clearTimeout(this.#timers.get(host));
    const timer = setTimeout(() => void this.#resolve(host), again);
    timer.unref();
    this.#timers.set(host, timer);
  }
}
