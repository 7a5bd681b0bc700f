import type { PathId } from '../../core';
import { PathControlError, type EndpointInfo, type PathControl, type PathState } from '../../ports';
import type { InterfaceInfo, InterfaceTable, NetworkChange } from '../codec';
import type { ConnectionChannel } from './connection-channel';
import { ControlSession } from './control-session';
import { ConnectionSteering, type SteeringResult } from './connection-steering';
import { isLinkLocal } from './link-local';
import type { AddressState, LocalPath } from './subflow-plan';

/** Which connections are the player's. */
export interface WatchedConnections {
  /** Local tokens of the MPTCP connections seen last. */
  tokens(): ReadonlySet<number>;
  /** Told after every look at them, with whether any subflow came, went or changed. */
  onObserved(listener: (changed: boolean) => void): void;
}

export interface ConnectionPathControlOptions {
  channel: ConnectionChannel;
  /** The interfaces, kept up to date by whoever also calls `networkChanged`. */
  table: Pick<InterfaceTable, 'list' | 'ownerOf'>;
  watched: WatchedConnections;
  reaches: (to: string, from: string, interfaceIndex: number) => Promise<boolean | undefined>;
  nowMs: () => number;
  /** Does something once, later; returns what prevents it. */
  later: (delayMs: number, work: () => void) => () => void;
  onError: (error: unknown) => void;
}

export interface ConnectionPathControl extends PathControl {
  /** An interface or address came or went. */
  networkChanged(change: NetworkChange): Promise<void>;
}

const usableAddresses = ({ loopback, addresses }: InterfaceInfo): string[] =>
  loopback ? [] : addresses.filter((address) => !isLinkLocal(address));

/**
 * PathControl through the userspace path manager: nobody else makes subflows then, so that this one opens them,
 * for the watched connections and no others. Nothing of the system is changed; what was done ends with the
 * connections.
 */
export function createConnectionPathControl(
  options: ConnectionPathControlOptions,
): ConnectionPathControl {
  const { channel, table, watched } = options;
  const steering = new ConnectionSteering(options);
  /** By network; those wanted otherwise than they are by themselves. */
  const wishes = new Map<string, Exclude<PathState, 'active'>>();
  /** Networks that once led to a server, or that somebody asked for, with an address of theirs. */
  const paths = new Map<string, string>();
  const lost = new Set<string>();
  const session = new ControlSession(options.onError);
  let queued = false;
  let waiting = true;
  let cancelLater: () => void = () => undefined;

  const linkOf = (network: string): InterfaceInfo | undefined =>
    table.list().find(({ name }) => name === network);
  const isUp = (network: string): boolean => {
    const link = linkOf(network);
    return link?.up === true && usableAddresses(link).length > 0;
  };
  const stateOf = (address: string): AddressState => {
    const owner = table.ownerOf(address);
    if (owner === undefined) return undefined;
    const link = linkOf(owner);
    if (link?.loopback === true) return undefined;
    if (link?.up !== true || !link.addresses.includes(address)) return 'lost';
    return wishes.get(owner) ?? 'active';
  };
  const localPaths = (): LocalPath[] =>
    table
      .list()
      .filter(({ up }) => up)
      .flatMap((link) =>
        usableAddresses(link).map((address) => ({
          network: link.name,
          address,
          interfaceIndex: link.index,
        })),
      );

  const infos = (): EndpointInfo[] => {
    const known = new Map(paths);
    // Before there is a connection, any network may be a path.
    if (known.size === 0)
      for (const { network, address } of localPaths()) known.set(network, address);
    const order = table.list().map(({ name }) => name);
    const names = [...known.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    return names.map((network) => {
      const link = linkOf(network);
      const address = (link && usableAddresses(link)[0]) ?? known.get(network) ?? '';
      const state = isUp(network) ? (wishes.get(network) ?? 'active') : 'closed';
      return {
        pathId: network,
        interfaceName: network,
        address,
        endpointId: undefined,
        state,
        origin: 'own',
        changed: state !== 'active',
      };
    });
  };
  const tell = (detail: string): void => session.say({ detail, endpoints: infos() });

  const networkOf = (action: SteeringResult['done'][number]): string | undefined =>
    action.kind === 'create' ? action.path.network : table.ownerOf(action.subflow.local.address);

  const learnPaths = async (): Promise<void> => {
    for (const path of localPaths()) {
      const leads = await steering.leadsSomewhere(path);
      if (leads === true) paths.set(path.network, path.address);
    }
  };

  const tellLosses = (done: SteeringResult['done']): void => {
    const closed = done.filter((action) => action.kind === 'destroy' && action.lost);
    const opened = done.filter(({ kind }) => kind === 'create');
    for (const network of new Set(closed.map(networkOf))) {
      if (network === undefined || lost.has(network)) continue;
      lost.add(network);
      tell(`${network} was lost: its subflows are closed`);
    }
    for (const network of new Set(opened.map(networkOf))) {
      if (network !== undefined && lost.delete(network)) tell(`${network} is back`);
    }
  };

  /** Brings every watched connection to what is wanted now. */
  const steer = async (mayOpen = true): Promise<SteeringResult> => {
    cancelLater();
    const tokens = watched.tokens();
    const result = await steering.apply({ tokens, paths: localPaths(), stateOf, mayOpen });
    waiting = result.waiting;
    if (result.laterMs !== undefined && mayOpen) {
      cancelLater = options.later(result.laterMs, steerSoon);
    }
    tellLosses(result.done);
    await learnPaths();
    return result;
  };
  /** As steer, once for all who ask before it begins. */
  const steerSoon = (): void => {
    if (queued || session.isClosing || session.gone) return;
    queued = true;
    void session
      .inOrder(async () => {
        queued = false;
        if (!session.isClosing) await steer();
      })
      .catch(options.onError);
  };

  const setState = async (pathId: PathId, state: PathState): Promise<void> => {
    const name = pathId.split('>')[0] ?? pathId;
    const network = linkOf(name) || paths.has(name) ? name : table.ownerOf(name);
    const link = network === undefined ? undefined : linkOf(network);
    const address = link && usableAddresses(link)[0];
    if (network === undefined || (address === undefined && !paths.has(network))) {
      throw new PathControlError('NO_SUCH_PATH', `no interface or address "${name}" to control`);
    }
    const before = wishes.get(network);
    if ((before ?? 'active') === state) return;
    const wish = (wanted: PathState | undefined): void => {
      if (wanted === undefined || wanted === 'active') wishes.delete(network);
      else wishes.set(network, wanted);
    };
    wish(state);
    const { failures } = await steer().catch((error: unknown) => {
      wish(before);
      throw error;
    });
    // A subflow that cannot be opened now is tried again; one that does not obey is a refusal.
    const refused = failures.find(
      ({ action }) => action.kind !== 'create' && networkOf(action) === network,
    );
    if (refused) {
      wish(before);
      await steer();
      throw refused.error;
    }
    if (address !== undefined) paths.set(network, address);
    tell(`${network} is ${state}`);
  };

  const restore = async (mayOpen = true): Promise<void> => {
    if (wishes.size === 0) return;
    wishes.clear();
    await steer(mayOpen);
    tell('everything is as found');
  };

  channel.onEvent((event) => {
    steering.hear(event);
    if (event.token !== undefined && watched.tokens().has(event.token)) steerSoon();
  });
  channel.onGone?.((error) => {
    cancelLater();
    session.end(error);
  });
  watched.onObserved((changed) => {
    if (changed || waiting) steerSoon();
  });

  return {
    capability: () =>
      session.incapability() ?? {
        available: true,
        through: channel.through,
        scope: 'connections',
      },
    list: () => session.whenOpen(() => Promise.resolve(infos())),
    setState: (pathId, state) => session.whenOpen(() => setState(pathId, state)),
    onChange: (listener) => session.onChange(listener),
    restore: () => session.whenOpen(() => restore()),
    close: () =>
      session.close(
        () => restore(false),
        () => {
          cancelLater();
          channel.close();
        },
      ),
    networkChanged({ interfaceName }) {
      steering.networkChanged(
        (address) => interfaceName === undefined || table.ownerOf(address) === interfaceName,
      );
      steerSoon();
      return session.idle;
    },
  };
}
