import { PathControlError } from '../../ports';
import type { MptcpEvent } from '../codec';
import { AnnouncedAddresses } from './announced-addresses';
import type { ConnectionChannel, LiveConnection, LiveSubflow } from './connection-channel';
import { LocalIds, SubflowAttempts } from './subflow-attempts';
import {
  isSettled,
  planSubflows,
  type AddressState,
  type LocalPath,
  type PlanInput,
  type RemoteAddress,
  type SubflowAction,
} from './subflow-plan';

export interface ConnectionSteeringOptions {
  channel: ConnectionChannel;
  /** Undefined: nobody knows; the subflow is then tried, bound to no interface. */
  reaches: (to: string, from: string, interfaceIndex: number) => Promise<boolean | undefined>;
  nowMs: () => number;
  onError: (error: unknown) => void;
}

/** What is wanted of all connections. */
export interface Wanted {
  tokens: ReadonlySet<number>;
  paths: readonly LocalPath[];
  stateOf: (address: string) => AddressState;
  /** False: only what is there is changed. */
  mayOpen: boolean;
}

export interface SteeringResult {
  done: SubflowAction[];
  /** What the kernel or the helper refused although it should have been possible, by local address. */
  failures: { address: string; action: SubflowAction; error: PathControlError }[];
  /** In so many milliseconds there may be something to do again. */
  laterMs: number | undefined;
  /** A connection is not ready yet: to be looked at with the next sample. */
  waiting: boolean;
}

const maxReported = 100;
const lookMs = 1000;
const addressOf = (action: SubflowAction): string =>
  action.kind === 'create' ? action.path.address : action.subflow.local.address;
const endsOf = ({ local, remote }: LiveSubflow): string =>
  `${local.address} ${local.port} ${remote.address} ${remote.port}`;
const keyOf = (token: number, subflow: LiveSubflow): string => `${token} ${endsOf(subflow)}`;
const attemptKey = (token: number, address: string, { end }: RemoteAddress): string =>
  `${token} ${address} ${end.address} ${end.port}`;
const tokenOf = (key: string): number => Number(key.split(' ')[0]);

/** Brings connections to what is wanted of them, one look and one round of changes at a time. */
export class ConnectionSteering {
  readonly #options: ConnectionSteeringOptions;
  readonly #announced = new AnnouncedAddresses();
  readonly #attempts = new SubflowAttempts();
  readonly #ids = new LocalIds();
  /** What subflows were asked to be; asked once, so that what others change afterwards stays. */
  readonly #asked = new Map<string, boolean>();
  /** Answers of the routing tables, until the network changes. */
  #routes = new Map<string, boolean | undefined>();
  readonly #reported = new Set<string>();
  #remotes: readonly string[] = [];

  constructor(options: ConnectionSteeringOptions) {
    this.#options = options;
  }

  hear(event: MptcpEvent): void {
    this.#announced.hear(event);
  }

  /** Addresses of the network changed: routes are asked for again, and what failed there is tried again. */
  networkChanged(isOf: (address: string) => boolean): void {
    // A new map: an answer that is on its way was asked for before the change.
    this.#routes = new Map();
    this.#attempts.forgetAddresses(isOf);
  }

  /** Whether an address leads to a server of the connections; undefined while there are none. */
  async leadsSomewhere(path: LocalPath): Promise<boolean | undefined> {
    const known = await Promise.all(this.#remotes.map((to) => this.#reaches(path, to)));
    return known.length === 0 ? undefined : known.some((answer) => answer !== false);
  }

  /** @throws PathControlError when connections cannot be looked at */
  async apply(wanted: Wanted): Promise<SteeringResult> {
    const connections = await this.#options.channel.connections(wanted.tokens);
    this.#keepOnly(connections);
    const waiting = connections.some((connection) => !isSettled(connection));
    const result: SteeringResult = { done: [], failures: [], laterMs: undefined, waiting };
    // What ends on a lost link is not to wait for anything, not for the routing tables either.
    await Promise.all(connections.map((item) => this.#change(item, wanted, result)));
    if (wanted.mayOpen) {
      for (const connection of connections) await this.#open(connection, wanted, result);
    }
    if (result.failures.length > 0) await this.#forgive(wanted.tokens, result);
    for (const { error, address } of result.failures)
      this.#report(`${address} ${error.message}`, error);
    return result;
  }

  async #change(connection: LiveConnection, wanted: Wanted, result: SteeringResult): Promise<void> {
    for (const action of this.#plan(connection, wanted, [], () => false)) {
      await this.#run(connection, action, result);
    }
  }

  async #open(connection: LiveConnection, wanted: Wanted, result: SteeringResult): Promise<void> {
    const remotes = this.#announced.remotesOf(connection);
    const reachable = new Set<string>();
    for (const path of wanted.paths) {
      for (const { end } of remotes) {
        const known = await this.#reaches(path, end.address);
        if (known !== false) reachable.add(`${path.address} ${end.address}`);
      }
    }
    const mayCreate: PlanInput['mayCreate'] = (path, remote) => {
      if (!reachable.has(`${path.address} ${remote.end.address}`)) return false;
      const key = attemptKey(connection.token, path.address, remote);
      const waitMs = this.#attempts.waitMs(key, this.#options.nowMs());
      if (waitMs > 0 && waitMs !== Infinity) {
        result.laterMs = Math.min(result.laterMs ?? Infinity, waitMs);
      }
      return waitMs === 0;
    };
    for (const action of this.#plan(connection, wanted, remotes, mayCreate)) {
      if (action.kind === 'create') await this.#run(connection, action, result);
    }
  }

  #plan(
    connection: LiveConnection,
    { paths, stateOf }: Wanted,
    remotes: readonly RemoteAddress[],
    mayCreate: PlanInput['mayCreate'],
  ): SubflowAction[] {
    return planSubflows({
      connection,
      paths,
      stateOf,
      remotes,
      mayCreate,
      isBackup: (subflow) =>
        this.#asked.get(keyOf(connection.token, subflow)) ?? subflow.backupLocal,
    });
  }

  async #run(
    connection: LiveConnection,
    action: SubflowAction,
    result: SteeringResult,
  ): Promise<void> {
    const { channel } = this.#options;
    const { token } = connection;
    try {
      if (action.kind === 'backup') {
        await channel.setBackup(token, action.subflow, action.backup);
        this.#asked.set(keyOf(token, action.subflow), action.backup);
      } else if (action.kind === 'destroy') {
        // Nothing said over a lost link arrives: over the others the server hears that it shall not wait for it.
        if (action.lost) {
          await channel.removeAddress(token, action.subflow.localId).catch(() => undefined);
        }
        await channel.destroy(token, action.subflow);
      } else if (!(await this.#create(connection, action))) {
        return;
      }
      result.done.push(action);
    } catch (error) {
      const known =
        error instanceof PathControlError ? error : new PathControlError('FAILED', String(error));
      result.failures.push({ address: addressOf(action), action, error: known });
    }
    // A look whether it came about.
    if (action.kind === 'create') result.laterMs = Math.min(result.laterMs ?? Infinity, lookMs);
  }

  async #create(
    { token, subflows }: LiveConnection,
    { path, remote, backup }: Extract<SubflowAction, { kind: 'create' }>,
  ): Promise<boolean> {
    const { address } = path;
    const others = subflows.filter(({ local }) => local.address !== address);
    const used = new Set(others.map(({ localId }) => localId));
    const seen = subflows.find(({ local, localId }) => local.address === address && localId > 0);
    const localId = this.#ids.idOf(token, address, used, seen?.localId);
    if (localId === undefined) return false;
    this.#attempts.tried(attemptKey(token, address, remote), address, this.#options.nowMs());
    // Where the tables cannot be asked, the number of the interface is not sure either.
    const sure = (await this.#reaches(path, remote.end.address)) === true;
    try {
      await this.#options.channel.create(token, {
        localId,
        localAddress: address,
        interfaceIndex: sure ? path.interfaceIndex : 0,
        remoteId: remote.id,
        remote: remote.end,
        backup,
      });
      return true;
    } catch (error) {
      if (/EINVAL|Invalid argument|exists/.test(String(error))) this.#ids.refused(token, address);
      throw error;
    }
  }

  async #reaches(path: LocalPath, to: string): Promise<boolean | undefined> {
    if (path.address.includes(':') !== to.includes(':')) return false;
    const key = `${path.address} ${path.interfaceIndex} ${to}`;
    const routes = this.#routes;
    if (!routes.has(key)) {
      routes.set(key, await this.#options.reaches(to, path.address, path.interfaceIndex));
    }
    return routes.get(key);
  }

  /** A subflow or connection that ended by itself meanwhile is no failure. */
  async #forgive(tokens: ReadonlySet<number>, result: SteeringResult): Promise<void> {
    const now = await this.#options.channel.connections(tokens).catch(() => []);
    const living = new Set(now.flatMap(({ subflows }) => subflows.map(endsOf)));
    result.failures = result.failures.filter(({ action }) =>
      action.kind === 'create' ? now.length > 0 : living.has(endsOf(action.subflow)),
    );
  }

  #keepOnly(connections: readonly LiveConnection[]): void {
    const tokens = new Set(connections.map(({ token }) => token));
    this.#remotes = [...new Set(connections.map(({ remote }) => remote.address))];
    this.#ids.keep(tokens);
    this.#attempts.keep((key) => tokens.has(tokenOf(key)));
    const subflows = new Set<string>();
    for (const connection of connections) {
      const { token } = connection;
      const remotes = this.#announced.remotesOf(connection);
      for (const subflow of connection.subflows) {
        subflows.add(keyOf(token, subflow));
        if (subflow.state !== 'active' && subflow.state !== 'backup') continue;
        const { local, remote } = subflow;
        const known = remotes.find(({ end }) => end.address === remote.address);
        if (known) this.#attempts.succeeded(attemptKey(token, local.address, known));
      }
    }
    for (const key of this.#asked.keys()) if (!subflows.has(key)) this.#asked.delete(key);
  }

  #report(what: string, error: unknown): void {
    if (this.#reported.has(what) || this.#reported.size >= maxReported) return;
    this.#reported.add(what);
    this.#options.onError(error);
  }
}
