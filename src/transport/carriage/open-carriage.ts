import { createChunkScheduler } from '../../chunks';
import { Listeners, type CarriageKind, type CarriedChunk, type NetworkWish } from '../../core';
import type { Clock, Transport } from '../../ports';
import type { SharedPathControl } from '../../path-control';
import { createPeerCheck } from '../agent';
import { BudgetLedger } from './budget-ledger';
import { createCarriageFeed } from './carriage-feed';
import { createFetchPathControl } from './fetch-path-control';
import {
  NetworkFetcher,
  parseUrl,
  settleWithin,
  startGateway,
  type ProbeNative,
  type SocketNative,
} from '../../fetch';
import { watchTunnel } from '../../kernel';
import { AutoCarriage } from './auto-carriage';
import { usesGateway, type ChosenCarriage } from './choose-carriage';
import { extraCaOf } from './extra-ca';
import { addressesOf } from './own-host';
import { switchPathControl } from './switch-path-control';

/** `auto`: `chooseCarriage` decides; byte ranges over every network where possible. */
export type CarriageChoice = 'auto' | CarriageKind;

export const CARRIAGE_CHOICES: readonly CarriageChoice[] = ['auto', 'mptcp', 'ranges', 'single'];

export interface OpenCarriageOptions {
  choice: Exclude<CarriageChoice, 'mptcp'>;
  addon: SocketNative & ProbeNative;
  clock: Clock;
  /** The player's own sockets are MPTCP, so that `auto` may leave the stream to them. */
  playerSpeaksMptcp: boolean;
  /** The stream's origin, if it is known before its page asks: the page then hears of the gateway at once. */
  origin?: string | undefined;
  /** Controls the kernel's paths while MPTCP carries the stream. */
  kernelControl?: SharedPathControl | undefined;
  networks?: readonly NetworkWish[] | undefined;
  /** What earlier streams received over each network; this stream is added at its end. Default: it is the only one. */
  ledger?: BudgetLedger | undefined;
  extraCa?: string | undefined;
  /** False for an address that the stream must not reach. Default: all are permitted. */
  permits?: ((address: string) => boolean) | undefined;
  /** The proxy through which the player reaches a URL; undefined without one. Default: none. */
  proxyFor?: ((url: URL) => Promise<string | undefined>) | undefined;
  /** Called with the reason where `auto` leaves the stream to the system's routes because of a tunnel or a proxy. */
  onNote?: ((reason: string) => void) | undefined;
  /** Called with the reason if a connection of another user was refused. */
  onRefused?: ((reason: string) => void) | undefined;
  /** Chunk scheduler by name; default ours. */
  scheduler?: string | undefined;
}

/** Longest wait for the choice of the first carriage: a resolver that answers later delays the manifest, too. */
const APPROACH_MS = 500;

/** The parts of a session whose media is fetched here. */
export interface OpenCarriage {
  pathControl: SharedPathControl;
  /** Origin of the gateway's address, without its token. */
  gatewayOrigin: string;
  /** Applies the viewer's price of a network from now on. */
  setNetwork(wish: NetworkWish): void;
  /** The page that may use the gateway. */
  allowPage(origin: string): void;
  /** The feed of a page, around the kernel's feed. */
  feed(kernelFeed: Transport): Transport;
  close(): Promise<void>;
}

/** Opens fetcher and gateway, and chooses between them and MPTCP. */
export async function openCarriage(options: OpenCarriageOptions): Promise<OpenCarriage> {
  const { choice, addon, clock, ledger = new BudgetLedger() } = options;
  const networksSeen = new Set<string>();
  const chunkListeners = new Listeners<CarriedChunk>();
  const fetcher = new NetworkFetcher({
    onChunk: (chunk) => {
      chunkListeners.call(chunk);
    },
    onNetworks: (networks) => {
      for (const { id } of networks) networksSeen.add(id);
    },
    addon,
    clock,
    single: choice === 'single',
    home: options.origin,
    permits: options.permits,
    extraCa: options.extraCa ?? extraCaOf(process.env),
    scheduler: createChunkScheduler(options.scheduler),
  });
  const costly = new Set<string>();
  const setNetwork = (wish: NetworkWish): void => {
    const { network } = wish;
    if (wish.metered === true) costly.add(network);
    else costly.delete(network);
    fetcher.setPrice(network, ledger.priceOf(wish));
  };
  options.networks?.forEach(setNetwork);
  const pageOrigins = new Set<string>();
  const admits = createPeerCheck('the gateway', options.onRefused ?? (() => undefined));
  const gateway = await startGateway({ fetcher, pageOrigins, admits });
  const changeListeners = new Listeners<void>();
  const tunnels = choice === 'auto' ? watchTunnel({ onChange: () => changed() }) : undefined;
  const auto = new AutoCarriage({
    fetcher,
    addon,
    playerSpeaksMptcp: options.playerSpeaksMptcp,
    keepsBudgets: () =>
      costly.size === 0 || options.kernelControl?.control.capability().available === true,
    tunnel: () => tunnels?.tunnel ?? { state: 'none' },
    learnRoute: async ({ hostname }) => tunnels?.alsoTo(await addressesOf(hostname)),
    proxyFor: options.proxyFor,
    onChange: () => changed(),
    clock,
  });
  const chosen = (): ChosenCarriage =>
    choice === 'auto' ? auto.chosen() : { state: 'ranges', reason: 'The user chose it.' };
  let noted: string | undefined;
  const changed = (): void => {
    const { state, reason } = chosen();
    const note = state === 'tunnel' || state === 'proxy' ? reason : undefined;
    if (note !== undefined && note !== noted) options.onNote?.(note);
    noted = note;
    changeListeners.call();
  };
  await tunnels?.ready;
  const approach = async (origin: string | undefined): Promise<void> => {
    const url = origin === undefined ? undefined : parseUrl(origin);
    if (url === undefined) return;
    if (choice === 'auto') await auto.locate(url.href);
    await fetcher.ready;
    if (usesGateway(chosen())) fetcher.prepare(url);
  };
  await settleWithin(clock, APPROACH_MS, approach(options.origin), () => undefined);

  return {
    pathControl: switchPathControl(
      createFetchPathControl(fetcher),
      options.kernelControl,
      // Beside a tunnel the player's own sockets may speak MPTCP too.
      () => ['mptcp', 'tunnel'].includes(chosen().state),
    ),
    gatewayOrigin: new URL(gateway.url).origin,
    setNetwork,
    allowPage: (origin) => pageOrigins.add(origin),
    feed(kernelFeed) {
      const feed: Transport = {
        nowMs: () => kernelFeed.nowMs(),
        subscribe: (listener) => kernelFeed.subscribe(listener),
        close: () => kernelFeed.close(),
        watch(origins) {
          void approach(origins[0]);
          if (choice === 'auto') void auto.learnProxies(origins);
          kernelFeed.watch(origins);
        },
      };
      kernelFeed.subscribe((message) => {
        if (message.type === 'samples' && chosen().state === 'mptcp') auto.observe(message.batch);
      });
      return createCarriageFeed({
        feed,
        fetcher,
        gateway,
        clock,
        onChunk: (listener) => chunkListeners.add(listener),
        onChange: (listener) => changeListeners.add(listener),
        chosen,
      });
    },
    async close() {
      auto.close();
      tunnels?.close();
      await gateway.close();
      fetcher.close();
      for (const id of networksSeen) ledger.add(id, fetcher.receivedBytes(id));
      networksSeen.clear();
    },
  };
}
