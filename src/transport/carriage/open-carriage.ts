import { createChunkScheduler } from '../../chunks';
import type {
  CarriageKind,
  CarriageReport,
  CarriedChunk,
  NetworkWish,
  SampleBatch,
} from '../../core';
import type { Clock, Transport } from '../../ports';
import type { SharedPathControl } from '../../path-control';
import { createPeerCheck } from '../agent';
import { createCarriageFeed } from './carriage-feed';
import { createFetchPathControl } from './fetch-path-control';
import {
  NetworkFetcher,
  probeMptcp,
  startGateway,
  type ProbeNative,
  type SocketNative,
} from '../../fetch';
import { extraCaOf } from './extra-ca';
import { isOwnHost } from './own-host';
import { switchPathControl } from './switch-path-control';

/** `auto`: MPTCP where at least two subflows carry data, else ranges, else one network. */
export type CarriageChoice = 'auto' | CarriageKind;

export const CARRIAGE_CHOICES: readonly CarriageChoice[] = ['auto', 'mptcp', 'ranges', 'single'];

export interface OpenCarriageOptions {
  choice: Exclude<CarriageChoice, 'mptcp'>;
  addon: SocketNative & ProbeNative;
  clock: Clock;
  /** The player's own sockets are MPTCP, so that `auto` may leave the stream to them. */
  playerSpeaksMptcp: boolean;
  /** Controls the kernel's paths while MPTCP carries the stream. */
  kernelControl?: SharedPathControl | undefined;
  networks?: readonly NetworkWish[] | undefined;
  extraCa?: string | undefined;
  /** False for an address that the stream must not reach. Default: all are permitted. */
  permits?: ((address: string) => boolean) | undefined;
  /** Called with the reason if a connection of another user was refused. */
  onRefused?: ((reason: string) => void) | undefined;
  /** Chunk scheduler by name; default ours. */
  scheduler?: string | undefined;
}

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

/** Bytes of a connection after which a subflow's share shows if it carries. */
const JUDGED_BYTES = 2_000_000;
/** Below this share a second subflow does not count as carrying. */
const CARRIES_SHARE = 0.01;

/** Opens fetcher and gateway, and chooses between them and MPTCP. */
export async function openCarriage(options: OpenCarriageOptions): Promise<OpenCarriage> {
  const { choice, addon, clock } = options;
  const listeners = new Set<(chunk: CarriedChunk) => void>();
  const fetcher = new NetworkFetcher({
    onChunk(chunk) {
      for (const listener of listeners) listener(chunk);
    },
    addon,
    clock,
    single: choice === 'single',
    permits: options.permits,
    extraCa: options.extraCa ?? extraCaOf(process.env),
    scheduler: createChunkScheduler(options.scheduler),
  });
  const setNetwork = ({ network, metered, budgetBytes }: NetworkWish): void =>
    fetcher.setPrice(network, { costly: metered === true, budgetBytes });
  options.networks?.forEach(setNetwork);
  const pageOrigins = new Set<string>();
  const admits = createPeerCheck('the gateway', options.onRefused ?? (() => undefined));
  const gateway = await startGateway({ fetcher, pageOrigins, admits });
  const mayUseMptcp = choice === 'auto' && options.playerSpeaksMptcp;
  let mptcp: string | undefined;
  let probe: 'due' | 'running' | 'done' = mayUseMptcp ? 'due' : 'done';

  const probeFor = (origin: string | undefined): void => {
    if (probe !== 'due' || origin === undefined) return;
    probe = 'running';
    void probeMptcp(new URL(origin), addon).then((finding) => {
      probe = 'done';
      if (finding.multipath) mptcp = `MPTCP over ${finding.subflows} subflows.`;
    });
  };
  const judge = subflowJudge(() => {
    mptcp = undefined;
  });
  /** False once the stream's server is known to be another machine. No network leads to this machine itself. */
  let mayBeOwn = true;
  const locate = (origin: string | undefined): void => {
    if (origin === undefined || !mayBeOwn) return;
    void isOwnHost(new URL(origin).hostname).then((isOwn) => {
      mayBeOwn = isOwn;
    });
  };
  let unreached: string | undefined;
  const browser = (): string | undefined => {
    if (choice !== 'auto') return undefined;
    if (fetcher.networks.length < 2) return 'One network at most is up.';
    if (mayBeOwn) return 'The server is this machine, or not known yet.';
    if (probe === 'running') return 'MPTCP is being tried.';
    // The browser would continue over a network whose budget is spent.
    if (fetcher.networks.some(({ id }) => fetcher.isSpent(id))) return undefined;
    unreached ??= whyNoneReaches(fetcher.report());
    return unreached;
  };

  return {
    pathControl: switchPathControl(
      createFetchPathControl(fetcher),
      options.kernelControl,
      () => mptcp !== undefined,
    ),
    gatewayOrigin: new URL(gateway.url).origin,
    setNetwork,
    allowPage: (origin) => pageOrigins.add(origin),
    feed(kernelFeed) {
      const feed: Transport = {
        ...kernelFeed,
        watch(origins) {
          probeFor(origins[0]);
          locate(origins[0]);
          kernelFeed.watch(origins);
        },
      };
      kernelFeed.subscribe((message) => {
        if (message.type === 'samples' && mptcp !== undefined) judge(message.batch);
      });
      return createCarriageFeed({
        feed,
        fetcher,
        gateway,
        clock,
        onChunk(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        mptcp: () => mptcp,
        browser,
      });
    },
    async close() {
      await gateway.close();
      fetcher.close();
    },
  };
}

/**
 * The reason why the gateway gives up: nothing arrived over any network, and each is out. The browser may have a
 * route, a proxy or an authority that the fetcher does not have.
 */
function whyNoneReaches({ networks, inOrderBytes }: CarriageReport): string | undefined {
  const reasons = networks.flatMap(({ outReason }) => outReason ?? []);
  const isOut = inOrderBytes === 0 && networks.length > 0 && reasons.length === networks.length;
  return isOut
    ? `No network reaches the server by itself: ${reasons[0] ?? ''}`.slice(0, 500)
    : undefined;
}

/** Calls back when MPTCP connections use one subflow only. */
function subflowJudge(onSingle: () => void): (batch: SampleBatch) => void {
  return ({ connections }) => {
    for (const { kind, subflows } of connections) {
      if (kind !== 'mptcp') continue;
      const bytes = subflows.map(({ bytesReceived }) => bytesReceived).sort((a, b) => b - a);
      const sum = bytes.reduce((total, one) => total + one, 0);
      if (sum >= JUDGED_BYTES && (bytes[1] ?? 0) < CARRIES_SHARE * sum) onSingle();
    }
  };
}
