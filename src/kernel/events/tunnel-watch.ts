import os from 'node:os';
import {
  isHardwareInterface,
  tunnelBesideHardware,
  type InterfaceKind,
  type TunnelState,
} from '../tunnel';
import { createNetworkEvents } from './network-events';
import { createRouteLookup } from './route-lookup';

export interface TunnelWatch {
  /** `unknown` until the first look has ended. */
  readonly tunnel: TunnelState;
  /** Resolves after the first look. Never rejects. */
  readonly ready: Promise<void>;
  /** The routes to these addresses count too. Resolves after a look at them; never rejects. */
  alsoTo(addresses: readonly string[]): Promise<void>;
  close(): void;
}

export interface TunnelWatchOptions {
  /** Called after a change of `tunnel`. */
  onChange: () => void;
  /** Default: {@link isHardwareInterface}. */
  isHardware?: (name: string) => boolean;
  routes?: ReturnType<typeof createRouteLookup>;
  createEvents?: typeof createNetworkEvents;
  /** Names of the interfaces with an address, without loopback. Asked where netlink's events are not available. */
  listNames?: () => string[];
}

/**
 * Addresses that only a default route, or the two halves of one, leads to: those of the documentation (RFC 5737, RFC
 * 3849). Nothing is sent to them.
 */
const DEFAULT_ROUTES = ['192.0.2.1', '2001:db8::1'] as const;

/** Rules of routing change without an event here, and a VPN may add them last. Chosen; no measurement. */
const LOOK_AGAIN_MS = 1000;

/**
 * Follows whether the system sends through a tunnel, such as a VPN; needs no privilege. It looks at each change of links,
 * addresses and routes, and once a second.
 */
export function watchTunnel(options: TunnelWatchOptions): TunnelWatch {
  const { onChange, isHardware = isHardwareInterface, listNames = addressedInterfaces } = options;
  const routes = options.routes ?? createRouteLookup();
  const addresses = new Set<string>(DEFAULT_ROUTES);
  let tunnel: TunnelState = { state: 'unknown', reason: "the kernel's routes were not read yet" };
  let isClosed = false;
  let looking: Promise<void> | undefined;
  let asked = 0;
  let isStarted = false;
  /** False if the table is not the kernel's: its indexes then mean nothing. */
  let followsKernel = true;

  const interfaceTo = async (to: string): Promise<number | 'none' | undefined> =>
    // A process that was held up for a second takes the answer for late, but gets the next one.
    (await routes.interfaceTo(to)) ?? routes.interfaceTo(to);

  const byKernel = async (): Promise<TunnelState> => {
    const found = await Promise.all([...addresses].map(interfaceTo));
    const isKnown = !found.includes(undefined);
    const links = events.table.list();
    const kinds: InterfaceKind[] = links
      .filter((item) => item.up && !item.loopback)
      .map(({ index, name }) => ({
        name,
        isHardware: isHardware(name),
        isSystemRoute: found.includes(index) || (isKnown ? false : undefined),
      }));
    // Its event is under way, or was lost.
    const missed = found.find((to) => typeof to === 'number' && !links.some((i) => i.index === to));
    if (missed !== undefined) {
      kinds.push({ name: `interface ${missed}`, isHardware: false, isSystemRoute: undefined });
    }
    return tunnelBesideHardware(kinds);
  };
  const byNames = (): TunnelState => {
    const names = listNames();
    if (names.length === 0) return { state: 'unknown', reason: 'the networks cannot be listed' };
    return tunnelBesideHardware(
      names.map((name) => ({ name, isHardware: isHardware(name), isSystemRoute: undefined })),
    );
  };

  const look = async (): Promise<void> => {
    const now = followsKernel ? await byKernel() : byNames();
    if (isClosed || JSON.stringify(now) === JSON.stringify(tunnel)) return;
    tunnel = now;
    onChange();
  };
  /** One look at a time; a question during a look needs another one. */
  const lookAll = async (): Promise<void> => {
    for (let answered = -1; answered !== asked;) {
      answered = asked;
      await look();
    }
    looking = undefined;
  };
  const ask = (): Promise<void> => {
    asked += 1;
    looking ??= lookAll();
    return looking;
  };

  const events = (options.createEvents ?? createNetworkEvents)({
    onChange: () => void ask(),
    onNote: ({ code }) => {
      // Later, it concerns one event.
      if (code === 'EVENTS_UNAVAILABLE' && !isStarted) followsKernel = false;
    },
  });
  const timer = setInterval(() => void ask(), LOOK_AGAIN_MS);
  timer.unref();
  return {
    get tunnel() {
      return tunnel;
    },
    ready: events.start().then(() => {
      isStarted = true;
      return ask();
    }),
    alsoTo(more) {
      for (const address of more) addresses.add(address);
      return ask();
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      events.close();
      routes.close();
    },
  };
}

/** Empty if Node cannot list them. */
function addressedInterfaces(): string[] {
  try {
    return Object.entries(os.networkInterfaces()).flatMap(([name, addresses]) =>
      addresses?.some(({ internal }) => !internal) === true ? [name] : [],
    );
  } catch {
    return [];
  }
}

/** Looks once for a tunnel that carries the system's traffic. */
export async function findTunnel(): Promise<TunnelState> {
  const watch = watchTunnel({ onChange: () => undefined });
  await watch.ready;
  const { tunnel } = watch;
  watch.close();
  return tunnel;
}
