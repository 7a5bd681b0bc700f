import {
  networkOf,
  type PathControlCapability,
  type PathId,
  type WantedPathState,
  type UnheardFlag,
} from '../../core';
import {
  PathControlError,
  type EndpointInfo,
  type PathControl,
  type PathControlChange,
} from '../../ports';
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
  /** Called with backup flags that did not reach their server. */
  onUnheard(listener: (flags: readonly UnheardFlag[]) => void): void;
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
  return new Control(options);
}

class Control implements ConnectionPathControl {
  readonly #options: ConnectionPathControlOptions;
  readonly #steering: ConnectionSteering;
  readonly #session: ControlSession;
  #facts = noFacts;
  /** A call of `#steer` has not begun yet. */
  #queued = false;
  /** A connection is not in the wanted state yet. */
  #waiting = true;
  #cancelLater: () => void = () => undefined;

  constructor(options: ConnectionPathControlOptions) {
    this.#options = options;
    this.#steering = new ConnectionSteering(options);
    this.#session = new ControlSession(options.onError);
    const { channel, watched } = options;
    channel.onEvent((event) => {
      this.#steering.onEvent(event);
      if (event.token !== undefined && watched.tokens().has(event.token)) this.#steerSoon();
    });
    channel.onLost(() => {
      // Any watched connection may have changed, and any refusal may be obsolete.
      this.#steering.networkChanged(() => true);
      this.#steerSoon();
    });
    channel.onGone?.((error) => {
      this.#cancelLater();
      this.#session.end(error);
    });
    watched.onObserved((changed) => {
      if (changed || this.#waiting) this.#steerSoon();
    });
    watched.onUnheard((flags) => {
      for (const flag of flags) this.#steering.repeatFlag(flag);
      this.#steerSoon();
    });
  }

  capability(): PathControlCapability {
    const { through } = this.#options.channel;
    return this.#session.incapability() ?? { available: true, through, scope: 'connections' };
  }

  list(): Promise<EndpointInfo[]> {
    return this.#session.whenOpen(() => Promise.resolve(this.#endpoints()));
  }

  setState(pathId: PathId, state: WantedPathState): Promise<void> {
    return this.#session.whenOpen(() => this.#setState(pathId, state));
  }

  onChange(listener: (change: PathControlChange) => void): () => void {
    return this.#session.onChange(listener);
  }

  restore(): Promise<void> {
    return this.#session.whenOpen(() => this.#restore());
  }

  close(): Promise<void> {
    return this.#session.close(
      () => this.#restore(false),
      () => {
        this.#cancelLater();
        this.#options.channel.close();
      },
    );
  }

  networkChanged({ interfaceName }: NetworkChange): Promise<void> {
    const { table } = this.#options;
    this.#steering.networkChanged(
      (address) => interfaceName === undefined || table.ownerOf(address) === interfaceName,
    );
    this.#steerSoon();
    return this.#session.idle;
  }

  #endpoints(): EndpointInfo[] {
    return networkInfos(this.#options.table, this.#facts);
  }

  #report(detail: string): void {
    this.#session.say({ detail, endpoints: this.#endpoints() });
  }

  /** Brings every watched connection to the wanted state. */
  async #steer(mayOpen = true): Promise<SteeringResult> {
    const { table, watched, later } = this.#options;
    this.#cancelLater();
    const paths = localPaths(table);
    const stateOf = (address: string): AddressState => addressState(table, this.#facts, address);
    const result = await this.#steering.apply({
      tokens: watched.tokens(),
      paths,
      stateOf,
      mayOpen,
    });
    this.#waiting = result.waiting;
    if (result.laterMs !== undefined && mayOpen) {
      this.#cancelLater = later(result.laterMs, () => this.#steerSoon());
    }
    const reports = planReports(table, this.#facts, result.done);
    this.#facts = reports.facts;
    for (const detail of reports.details) this.#report(detail);
    for (const path of localPaths(table)) {
      if ((await this.#steering.leadsSomewhere(path)) !== true) continue;
      this.#facts = withPaths(this.#facts, [[path.network, path.address]]);
    }
    return result;
  }

  /** As `#steer`, once for all callers before it begins. */
  #steerSoon(): void {
    const session = this.#session;
    if (this.#queued || session.isClosing || session.gone) return;
    this.#queued = true;
    void session
      .inOrder(async () => {
        this.#queued = false;
        if (!session.isClosing) await this.#steer();
      })
      .catch(this.#options.onError);
  }

  async #setState(pathId: PathId, state: WantedPathState): Promise<void> {
    const { table } = this.#options;
    const named = findNetwork(table, this.#facts, pathId);
    if (!named) {
      const detail = `no interface or address "${networkOf(pathId)}" to control`;
      throw new PathControlError('NO_SUCH_PATH', detail);
    }
    const { network, address } = named;
    const before = this.#facts.wishes.get(network) ?? 'active';
    if (before === state) return;
    this.#facts = withWish(this.#facts, network, state);
    const { failures } = await this.#steer().catch((error: unknown) => {
      this.#facts = withWish(this.#facts, network, before);
      throw error;
    });
    // A subflow that cannot be opened now is retried. A subflow that ignores a change is a refusal.
    const refused = failures.find(
      ({ action }) => action.kind !== 'create' && networkActedOn(table, action) === network,
    );
    if (refused) {
      this.#facts = withWish(this.#facts, network, before);
      await this.#steer();
      throw refused.error;
    }
    if (address !== undefined) this.#facts = withPaths(this.#facts, [[network, address]]);
    this.#report(`${network} is ${state}`);
  }

  async #restore(mayOpen = true): Promise<void> {
    if (this.#facts.wishes.size === 0) return;
    this.#facts = { ...this.#facts, wishes: new Map() };
    await this.#steer(mayOpen);
    this.#report('all changes of paths were undone');
  }
}
