import { PathControlError } from '../../ports';
import type { MptcpEvent } from '../../kernel';
import { AnnouncedAddresses } from './announced-addresses';
import type { ConnectionChannel, LiveConnection, LiveSubflow } from './connection-channel';
import { KnownRoutes, type Reaches } from './known-routes';
import type { UnheardFlag } from '../../core';
import { LocalIds, SubflowAttempts } from './subflow-attempts';
import {
  isSettled,
  planSubflows,
  type AddressState,
  type LocalPath,
  type SubflowPlanInput,
  type RemoteAddress,
  type SubflowAction,
} from './subflow-plan';

export interface ConnectionSteeringOptions {
  channel: ConnectionChannel;
  reaches: Reaches;
  nowMs: () => number;
  onError: (error: unknown) => void;
}

/** The wanted state of all connections. */
export interface Wanted {
  tokens: ReadonlySet<number>;
  paths: readonly LocalPath[];
  stateOf: (address: string) => AddressState;
  /** False: only existing subflows change. */
  mayOpen: boolean;
}

export interface SteeringResult {
  done: SubflowAction[];
  /** Unexpected refusals of the kernel or the helper, by local address. */
  failures: { address: string; action: SubflowAction; error: PathControlError }[];
  /** Time in milliseconds until another round may be useful. */
  laterMs: number | undefined;
  /** A connection is not ready yet: check it with the next sample. */
  waiting: boolean;
}

/** Distinct errors reported; a failing kernel must not fill the log. Chosen; no measurement. */
const MAX_REPORTED = 100;
/** Delay of the check whether a requested subflow exists: one initial retransmission timeout (RFC 6298, section 2). */
const LOOK_MS = 1000;
const addressOf = (action: SubflowAction): string =>
  action.kind === 'create' ? action.path.address : action.subflow.local.address;
const endsOf = ({ local, remote }: Pick<LiveSubflow, 'local' | 'remote'>): string =>
  `${local.address} ${local.port} ${remote.address} ${remote.port}`;
const keyOf = (token: number, subflow: LiveSubflow): string => `${token} ${endsOf(subflow)}`;
const attemptKey = (token: number, address: string, { end }: RemoteAddress): string =>
  `${token} ${address} ${end.address} ${end.port}`;
const tokenOf = (key: string): number => Number(key.split(' ')[0]);

/** Brings connections to the wanted state, one sample and one round of changes at a time. */
export class ConnectionSteering {
  readonly #options: ConnectionSteeringOptions;
  readonly #announced = new AnnouncedAddresses();
  readonly #attempts = new SubflowAttempts();
  readonly #ids = new LocalIds();
  /**
   * The requested state of each subflow. It is requested once, so that later changes by others stay. Undefined: the server did
   * not hear it, and it is requested again.
   */
  readonly #asked = new Map<string, boolean | undefined>();
  readonly #routes: KnownRoutes;
  readonly #reported = new Set<string>();
  #remotes: readonly string[] = [];

  constructor(options: ConnectionSteeringOptions) {
    this.#options = options;
    this.#routes = new KnownRoutes(options.reaches);
  }

  onEvent(event: MptcpEvent): void {
    this.#announced.onEvent(event);
  }

  /** Addresses of the network changed: queries the routes again and retries failed subflows there. */
  networkChanged(isOf: (address: string) => boolean): void {
    this.#routes.networkChanged();
    this.#attempts.forgetAddresses(isOf);
  }

  /** Requests the state of a subflow once more with the next round, if it is the one that was requested. */
  repeatFlag(flag: UnheardFlag): void {
    for (const [key, backup] of this.#asked) {
      if (key.endsWith(` ${endsOf(flag)}`) && backup === flag.backup)
        this.#asked.set(key, undefined);
    }
  }

  /** Returns true if an address has a route to a server of the connections. Undefined without connections. */
  leadsSomewhere(path: LocalPath): Promise<boolean | undefined> {
    return this.#routes.leadsToAny(path, this.#remotes);
  }

  /** @throws PathControlError when connections cannot be read */
  async apply(wanted: Wanted): Promise<SteeringResult> {
    const connections = await this.#options.channel.connections(wanted.tokens);
    this.#keepOnly(connections);
    const waiting = connections.some((connection) => !isSettled(connection));
    const result: SteeringResult = { done: [], failures: [], laterMs: undefined, waiting };
    // The end of a subflow on a lost link must wait for nothing, not even the routing tables.
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
        const known = await this.#routes.reaches(path, end.address);
        if (known !== false) reachable.add(`${path.address} ${end.address}`);
      }
    }
    const mayCreate: SubflowPlanInput['mayCreate'] = (path, remote) => {
      if (!reachable.has(`${path.address} ${remote.end.address}`)) return false;
      const key = attemptKey(connection.token, path.address, remote);
      const waitMs = this.#attempts.waitMs(key, this.#options.nowMs());
      if (waitMs > 0) result.laterMs = Math.min(result.laterMs ?? Infinity, waitMs);
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
    mayCreate: SubflowPlanInput['mayCreate'],
  ): SubflowAction[] {
    return planSubflows({
      connection,
      paths,
      stateOf,
      remotes,
      mayCreate,
      isBackup: (subflow) => {
        const key = keyOf(connection.token, subflow);
        return this.#asked.has(key) ? this.#asked.get(key) : subflow.backupLocal;
      },
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
        // No packet over a lost link arrives. Over the other links the server learns not to wait for it.
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
    // Schedules a check of the result.
    if (action.kind === 'create') result.laterMs = Math.min(result.laterMs ?? Infinity, LOOK_MS);
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
    // If the tables cannot be read, the interface index is uncertain too.
    const sure = (await this.#routes.reaches(path, remote.end.address)) === true;
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

  /** A subflow or connection that ended on its own meanwhile is not a failure. */
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

  #report(key: string, error: unknown): void {
    if (this.#reported.has(key) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(key);
    this.#options.onError(error);
  }
}
