import { networkOf, type PathId, type WantedPathState } from '../../core';
import { PathControlError, type PathControl } from '../../ports';
import type { NetworkChange } from '../../kernel';
import type { ConnectionChannel } from './connection-channel';
import { ControlSession } from '../control-session';
import { ConnectionSteering, type SteeringResult } from './connection-steering';
import type { Reaches } from './known-routes';
import {
  addressState,
  findNetwork,
  localPaths,
  networkActedOn,
  networkInfos,
  noFacts,
  planReports,
  withPaths,
  withWish,
  type Networks,
} from './network-plan';
import type { AddressState } from './subflow-plan';

/** The connections of the player. */
export interface WatchedConnections {
  /** Local tokens of the MPTCP connections in the last sample. */
  tokens(): ReadonlySet<number>;
  /** Called after every sample. The argument is true if a subflow was added, removed or changed. */
  onObserved(listener: (changed: boolean) => void): void;
}

export interface ConnectionPathControlOptions {
  channel: ConnectionChannel;
  /** The interfaces. The caller of `networkChanged` keeps them current. */
  table: Networks;
  watched: WatchedConnections;
  reaches: Reaches;
  nowMs: () => number;
  /** Schedules one call and returns its cancellation. */
  later: (delayMs: number, work: () => void) => () => void;
  onError: (error: unknown) => void;
}

export interface ConnectionPathControl extends PathControl {
  /** Call this when an interface or address was added or removed. */
  networkChanged(change: NetworkChange): Promise<void>;
}

/**
 * PathControl through the userspace path manager. No other process opens subflows in this mode, so this class
 * opens them, for the watched connections only. It changes nothing in the system: its changes end with the
 * connections.
 */
export function createConnectionPathControl(
  options: ConnectionPathControlOptions,
): ConnectionPathControl {
  const { channel, table, watched } = options;
  const steering = new ConnectionSteering(options);
  const session = new ControlSession(options.onError);
  let facts = noFacts;
  let queued = false;
  let waiting = true;
  let cancelLater: () => void = () => undefined;

  const report = (detail: string): void =>
    session.say({ detail, endpoints: networkInfos(table, facts) });

  /** Brings every watched connection to the wanted state. */
  const steer = async (mayOpen = true): Promise<SteeringResult> => {
    cancelLater();
    const paths = localPaths(table);
    const stateOf = (address: string): AddressState => addressState(table, facts, address);
    const result = await steering.apply({ tokens: watched.tokens(), paths, stateOf, mayOpen });
    waiting = result.waiting;
    if (result.laterMs !== undefined && mayOpen) {
      cancelLater = options.later(result.laterMs, steerSoon);
    }
    const reports = planReports(table, facts, result.done);
    facts = reports.facts;
    for (const detail of reports.details) report(detail);
    for (const path of localPaths(table)) {
      if ((await steering.leadsSomewhere(path)) !== true) continue;
      facts = withPaths(facts, [[path.network, path.address]]);
    }
    return result;
  };
  /** As steer, once for all callers before it begins. */
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

  const setState = async (pathId: PathId, state: WantedPathState): Promise<void> => {
    const named = findNetwork(table, facts, pathId);
    if (!named) {
      const detail = `no interface or address "${networkOf(pathId)}" to control`;
      throw new PathControlError('NO_SUCH_PATH', detail);
    }
    const { network, address } = named;
    const before = facts.wishes.get(network) ?? 'active';
    if (before === state) return;
    facts = withWish(facts, network, state);
    const { failures } = await steer().catch((error: unknown) => {
      facts = withWish(facts, network, before);
      throw error;
    });
    // A subflow that cannot be opened now is retried. A subflow that ignores a change is a refusal.
    const refused = failures.find(
      ({ action }) => action.kind !== 'create' && networkActedOn(table, action) === network,
    );
    if (refused) {
      facts = withWish(facts, network, before);
      await steer();
      throw refused.error;
    }
    if (address !== undefined) facts = withPaths(facts, [[network, address]]);
    report(`${network} is ${state}`);
  };

  const restore = async (mayOpen = true): Promise<void> => {
    if (facts.wishes.size === 0) return;
    facts = { ...facts, wishes: new Map() };
    await steer(mayOpen);
    report('everything is as found');
  };

  channel.onEvent((event) => {
    steering.onEvent(event);
    if (event.token !== undefined && watched.tokens().has(event.token)) steerSoon();
  });
  channel.onLost(() => {
    // Any watched connection may have changed, and any refusal may be obsolete.
    steering.networkChanged(() => true);
    steerSoon();
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
    list: () => session.whenOpen(() => Promise.resolve(networkInfos(table, facts))),
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
