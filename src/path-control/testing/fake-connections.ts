import type { MptcpEvent } from '../../kernel';
import type {
  ConnectionChannel,
  LiveConnection,
  LiveSubflow,
  NewSubflow,
} from '../connections/connection-channel';

export interface FakeConnections extends ConnectionChannel {
  live: LiveConnection[];
  /** Every change, in order. */
  readonly calls: string[];
  /** Thrown by the next change whose words contain the key. */
  failing: Map<string, Error>;
  /** Simulates that the kernel dropped events. */
  lose(): void;
  /** Emits an event of the kernel. */
  emit(event: MptcpEvent): void;
  /** Result of a requested subflow. Default: established. */
  fate: 'active' | 'connecting' | 'none';
}

export const liveSubflow = (
  local: string,
  more: Partial<LiveSubflow> & { remoteAddress?: string } = {},
): LiveSubflow => {
  const { remoteAddress = '10.9.0.1', ...rest } = more;
  return {
    local: { address: local, port: 40_000 },
    remote: { address: remoteAddress, port: 443 },
    localId: 0,
    remoteId: 0,
    state: 'active',
    backupLocal: false,
    fullyEstablished: true,
    ...rest,
  };
};

/** A kernel with its path manager in user space, in memory. */
export function createFakeConnections(live: LiveConnection[]): FakeConnections {
  const lostListeners: (() => void)[] = [];
  const listeners: ((event: MptcpEvent) => void)[] = [];
  const call = (what: string, work: () => void): Promise<void> => {
    fake.calls.push(what);
    for (const [part, error] of fake.failing) {
      if (!what.includes(part)) continue;
      fake.failing.delete(part);
      return Promise.reject(error);
    }
    work();
    return Promise.resolve();
  };
  const find = (token: number): LiveConnection | undefined =>
    fake.live.find((item) => item.token === token);
  const same = (a: LiveSubflow, b: LiveSubflow): boolean =>
    a.local.address === b.local.address && a.remote.address === b.remote.address;

  const create = (token: number, wanted: NewSubflow): void => {
    if (fake.fate === 'none') return;
    find(token)?.subflows.push({
      local: { address: wanted.localAddress, port: 50_000 + wanted.localId },
      remote: wanted.remote,
      localId: wanted.localId,
      remoteId: wanted.remoteId,
      state: fake.fate,
      backupLocal: wanted.backup,
      fullyEstablished: fake.fate === 'active',
    });
  };
  const fake: FakeConnections = {
    through: 'direct',
    live,
    calls: [],
    failing: new Map(),
    fate: 'active',
    lose: () => lostListeners.forEach((listener) => listener()),
    emit: (event) => listeners.forEach((listener) => listener(event)),
    connections: (tokens) =>
      Promise.resolve(structuredClone(fake.live.filter(({ token }) => tokens.has(token)))),
    create: (token, wanted) => {
      const { localId, localAddress, interfaceIndex, remote, backup } = wanted;
      const what = `create ${token} ${localId} ${localAddress} ${interfaceIndex} ${remote.address}`;
      return call(what + (backup ? ' backup' : ''), () => create(token, wanted));
    },
    destroy: (token, subflow) =>
      call(`destroy ${token} ${subflow.local.address} ${subflow.remote.address}`, () => {
        const connection = find(token);
        if (!connection) return;
        connection.subflows = connection.subflows.filter((item) => !same(item, subflow));
      }),
    setBackup: (token, subflow, backup) =>
      call(`${backup ? 'backup' : 'active'} ${token} ${subflow.local.address}`, () => {
        for (const item of find(token)?.subflows ?? []) {
          if (same(item, subflow)) item.backupLocal = backup;
        }
      }),
    removeAddress: (token, localId) => call(`remove ${token} ${localId}`, () => undefined),
    onEvent: (listener) => void listeners.push(listener),
    onLost: (listener) => void lostListeners.push(listener),
    close: () => undefined,
  };
  return fake;
}
