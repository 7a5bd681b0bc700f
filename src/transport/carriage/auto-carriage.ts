import type { CarriageReport, SampleBatch } from '../../core';
import {
  ASKS_TO_WAIT,
  parseUrl,
  probeMptcp,
  type NetworkFetcher,
  type ProbeNative,
} from '../../fetch';
import type { TunnelState } from '../../kernel';
import type { Clock } from '../../ports';
import { chooseCarriage, type ChosenCarriage, type MptcpState } from './choose-carriage';
import { isOwnHost } from './own-host';

export interface AutoCarriageOptions {
  fetcher: Pick<NetworkFetcher, 'networks' | 'notJoined' | 'isSpent' | 'report'>;
  addon: ProbeNative;
  /** The player's own sockets are MPTCP. */
  playerSpeaksMptcp: boolean;
  /** False while the kernel's paths cannot be steered, but a network costs. MPTCP would ignore its budget. */
  keepsBudgets: () => boolean;
  /** Whether the system sends through a tunnel. */
  tunnel: () => TunnelState;
  /** Called before the gateway reaches another machine. Never rejects. Default: nothing is to be learnt. */
  learnRoute?: (url: URL) => Promise<void>;
  /** The proxy through which the player reaches a URL; undefined without one. Default: none. */
  proxyFor?: ((url: URL) => Promise<string | undefined>) | undefined;
  /** The choice may have changed. */
  onChange: () => void;
  clock: Clock;
  /** True if a host is this machine, undefined if it does not resolve. Default: {@link isOwnHost}. */
  locateHost?: (hostname: string) => Promise<boolean | undefined>;
}

/** A name that does not resolve is looked up again after this time: a network may just be coming up. Chosen; no measurement. */
const LOOK_UP_AGAIN_MS = 2000;

/**
 * No network reaches the server for this long before the browser takes over. A network that is connected again after a failed
 * connection counts as out, so the second attempt has this time. Chosen; no measurement.
 */
const UNREACHED_MS = 1000;
/** The networks are tried again after this time, and after twice the time whenever it was in vain. */
const TRY_AGAIN_MS = 60_000;

/** Origins of a stream whose proxy is asked for. Chosen; no measurement. */
const MAX_ORIGINS = 64;

/** Bytes of a connection after which a subflow's share shows if it carries. */
const JUDGED_BYTES = 2_000_000;
/** Below this share a second subflow does not count as carrying. */
const CARRIES_SHARE = 0.01;

/** Collects what the choice of a session's carriage depends on. MPTCP is probed only where ranges do not serve. */
export class AutoCarriage {
  readonly #options: AutoCarriageOptions;
  #server: 'unknown' | 'this-machine' | 'other-machine' = 'unknown';
  #mptcp: MptcpState;
  #proxy: string | undefined;
  readonly #askedOrigins = new Set<string>();
  /** Start of the time in which no network reaches the server. */
  #unreachedSinceMs: number | undefined;
  /** The browser carries the stream until then. */
  #unreached: { reason: string; untilMs: number } | undefined;
  #tryAgainMs = TRY_AGAIN_MS;
  #stopWaiting = (): void => undefined;
  #isClosed = false;

  constructor(options: AutoCarriageOptions) {
    this.#options = options;
    this.#mptcp = { state: options.playerSpeaksMptcp ? 'untried' : 'unusable' };
  }

  /** The stream comes from this origin. One that is another machine settles the place of the stream's server. */
  async locate(origin: string): Promise<void> {
    if (this.#server === 'other-machine') return;
    const { clock, locateHost = isOwnHost, learnRoute, proxyFor, onChange } = this.#options;
    const url = new URL(origin);
    const isOwn = await locateHost(url.hostname);
    if (isOwn === false) {
      const [proxy] = await Promise.all([
        proxyFor?.(url).catch(() => undefined),
        learnRoute?.(url),
      ]);
      this.#proxy ??= proxy;
    }
    if (this.#isClosed) return;
    if (isOwn === undefined) {
      this.#stopWaiting();
      this.#stopWaiting = clock.after(LOOK_UP_AGAIN_MS, () => void this.locate(origin));
      return;
    }
    if (!isOwn) this.#server = 'other-machine';
    else if (this.#server === 'unknown') this.#server = 'this-machine';
    onChange();
  }

  /**
   * The stream's media come from these origins too. One of them may be reached through a proxy, although the manifest is not
   * (`no_proxy`): the gateway would not reach it.
   */
  async learnProxies(origins: readonly string[]): Promise<void> {
    const { locateHost = isOwnHost, proxyFor, onChange } = this.#options;
    if (proxyFor === undefined) return;
    const fresh = origins.flatMap((origin) =>
      this.#isAsked(origin) ? [] : (parseUrl(origin) ?? []),
    );
    const proxies = await Promise.all(
      fresh.map(async (url) => {
        const isOwn = await locateHost(url.hostname).catch(() => undefined);
        return isOwn === true ? undefined : proxyFor(url).catch(() => undefined);
      }),
    );
    const proxy = proxies.find((one) => one !== undefined);
    if (proxy === undefined || this.#proxy !== undefined || this.#isClosed) return;
    this.#proxy = proxy;
    onChange();
  }

  /** True for an origin that was asked for before; a page can name any number. */
  #isAsked(origin: string): boolean {
    const isAsked = this.#askedOrigins.has(origin) || this.#askedOrigins.size >= MAX_ORIGINS;
    if (!isAsked) this.#askedOrigins.add(origin);
    return isAsked;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
  }

  chosen(): ChosenCarriage {
    const { fetcher, keepsBudgets, tunnel } = this.#options;
    const { networks, notJoined } = fetcher;
    const chosen = chooseCarriage({
      networks: networks.length,
      server: this.#server,
      tunnel: tunnel(),
      proxy: this.#proxy,
      unreached: this.#whyUnreached(),
      notJoined: notJoined?.reason,
      isBudgetSpent: networks.some(({ id }) => fetcher.isSpent(id)),
      mptcp: keepsBudgets() ? this.#mptcp : { state: 'unusable' },
    });
    if (chosen.state === 'mptcp-probe' && notJoined) this.#probe(notJoined.origin);
    return chosen;
  }

  /** Judges the subflows of the stream while MPTCP carries it. */
  observe({ connections }: SampleBatch): void {
    if (this.#mptcp.state !== 'multipath') return;
    for (const { kind, subflows } of connections) {
      if (kind !== 'mptcp') continue;
      const bytes = subflows.map(({ bytesReceived }) => bytesReceived).sort((a, b) => b - a);
      const sum = bytes.reduce((total, one) => total + one, 0);
      const isCarried = (bytes[1] ?? 0) >= CARRIES_SHARE * sum;
      if (sum >= JUDGED_BYTES && !isCarried) this.#mptcp = { state: 'single' };
    }
  }

  #whyUnreached(): string | undefined {
    const nowMs = this.#options.clock.nowMs();
    if (this.#unreached && nowMs < this.#unreached.untilMs) return this.#unreached.reason;
    const reason = whyNoneReaches(this.#options.fetcher.report());
    if (reason === undefined) {
      this.#unreachedSinceMs = undefined;
      return undefined;
    }
    this.#unreachedSinceMs ??= nowMs;
    if (nowMs - this.#unreachedSinceMs < UNREACHED_MS) return undefined;
    if (this.#unreached) this.#tryAgainMs *= 2;
    this.#unreached = { reason, untilMs: nowMs + this.#tryAgainMs };
    this.#unreachedSinceMs = undefined;
    return reason;
  }

  #probe(origin: string): void {
    if (this.#mptcp.state !== 'untried') return;
    this.#mptcp = { state: 'probing' };
    void probeMptcp(new URL(origin), this.#options.addon).then((finding) => {
      this.#mptcp = finding.multipath
        ? { state: 'multipath', subflows: finding.subflows }
        : { state: 'single' };
      this.#options.onChange();
    });
  }
}

/**
 * The reason why the gateway gives up: nothing arrived over any network, and each is out. The browser may have a
 * route, a proxy or an authority that the fetcher does not have.
 */
function whyNoneReaches({ networks, inOrderBytes }: CarriageReport): string | undefined {
  const reasons = networks.flatMap(({ outReason }) => outReason ?? []);
  if (reasons.some((reason) => reason.endsWith(ASKS_TO_WAIT))) return undefined;
  const isOut = inOrderBytes === 0 && networks.length > 0 && reasons.length === networks.length;
  return isOut
    ? `No network reaches the server by itself: ${reasons[0] ?? ''}`.slice(0, 500)
    : undefined;
}
