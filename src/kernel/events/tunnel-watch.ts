import { isHardwareInterface, tunnelBesideHardware } from '../tunnel';
import { createNetworkEvents } from './network-events';
import { createRouteLookup } from './route-lookup';

export interface TunnelWatch {
  /** Name of the tunnel through which the system sends; undefined without one. */
  readonly tunnel: string | undefined;
  /** Resolves after the first look. Never rejects. */
  readonly ready: Promise<void>;
  /** The routes to these addresses count too. Resolves after a look at them; never rejects. */
  alsoTo(addresses: readonly string[]): Promise<void>;
  close(): void;
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
 * @param onChange called after a change of `tunnel`
 */
export function watchTunnel(onChange: () => void, isHardware = isHardwareInterface): TunnelWatch {
  const routes = createRouteLookup();
  const addresses = new Set<string>(DEFAULT_ROUTES);
  let tunnel: string | undefined;
  let isClosed = false;
  let looking: Promise<void> | undefined;
  let asked = 0;

  const look = async (): Promise<void> => {
    const found = await Promise.all([...addresses].map((to) => routes.interfaceTo(to)));
    if (isClosed) return;
    const now = tunnelBesideHardware(
      events.table
        .list()
        .filter(({ up, loopback }) => up && !loopback)
        .map(({ index, name }) => ({
          name,
          isHardware: isHardware(name),
          isSystemRoute: found.includes(index),
        })),
    );
    if (now === tunnel) return;
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

  const events = createNetworkEvents({ onChange: () => void ask(), onNote: () => undefined });
  const timer = setInterval(() => void ask(), LOOK_AGAIN_MS);
  timer.unref();
  return {
    get tunnel() {
      return tunnel;
    },
    ready: events.start().then(ask),
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

/** The tunnel through which the system sends now; undefined without one. */
export async function findTunnel(): Promise<string | undefined> {
  const watch = watchTunnel(() => undefined);
  await watch.ready;
  const { tunnel } = watch;
  watch.close();
  return tunnel;
}
