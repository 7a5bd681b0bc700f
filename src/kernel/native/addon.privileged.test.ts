import { release } from 'node:os';
import { beforeAll, describe, expect } from 'vitest';
import type {
  Capabilities,
  RawConnection,
  RawSubflow,
  SamplerStats,
  Snapshot,
} from '../../../native/index';
import { privilegedIt, privateNetworkRefusal, runPrivately } from '../testing/private-network';

interface SamplerObservation {
  takenBlocked: number;
  wakesBlocked: number;
  wakes: number;
  stats: SamplerStats;
}

interface Observations {
  body: number;
  bytesRead: number;
  snapshot: Snapshot;
  server: Snapshot;
  'server by path': Snapshot;
  'this remote': Snapshot;
  'any port': Snapshot;
  'other port': Snapshot;
  'other address': Snapshot;
  mapped: Snapshot;
  'own uid': Snapshot;
  'other uid': Snapshot;
  'with plain': Snapshot;
  fullInfo: Snapshot;
  unprivileged: Snapshot | { code: string; message: string };
  six: Snapshot;
  borrowed: { said: string; diag: RawConnection; own: RawConnection };
  sampler: SamplerObservation;
  small: { read: number; stats: SamplerStats };
  capabilities: Capabilities;
  'capabilities without': Capabilities;
}

const seen = new Map<string, unknown>();

beforeAll(async () => {
  if (process.env['CI'] !== 'true' && privateNetworkRefusal() !== undefined) return;
  for (const line of await runPrivately('src/kernel/native/testing/addon-scenario.ts')) {
    const { name, value } = line as { name: string; value: unknown };
    seen.set(name, value);
  }
}, 120_000);

function observed<K extends keyof Observations>(name: K): Observations[K] {
  if (!seen.has(name)) throw new Error(`the scenario did not print "${name}"`);
  return seen.get(name) as Observations[K];
}

function only<T>(items: readonly T[]): T {
  expect(items).toHaveLength(1);
  return items[0] as T;
}

function check(name: string, body: () => void): void {
  privilegedIt(name, () => {
    body();
    return Promise.resolve();
  });
}

/** Since Linux 6.15 inet_diag shows everybody the connection of a subflow. */
function answersEverybody(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 15);
}

const received = (subflow: RawSubflow): number => subflow.tcp?.bytesReceived ?? 0;
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const addresses = (snapshot: Snapshot): string[] =>
  snapshot.subflows.map((s) => `${s.local.address} ${s.remote.address}`).sort();

describe('the addon on a real MPTCP connection', () => {
  check('counts on its subflows the bytes that net.Socket read', () => {
    expect(observed('body')).toBe(2_000_000);
    const { connections, subflows } = observed('snapshot');
    const connection = only(connections);
    expect(connection.bytesReceived).toBe(observed('bytesRead'));
    expect(subflows).toHaveLength(2);
    expect(subflows.every((s) => s.token === connection.token && received(s) > 0)).toBe(true);
    // It exceeds the connection's count only by duplicates.
    const twice = only(observed('server').connections).bytesRetrans ?? 0;
    const surplus = sum(subflows.map(received)) - observed('bytesRead');
    expect(surplus).toBeGreaterThanOrEqual(0);
    expect(surplus).toBeLessThanOrEqual(twice);
  });

  check('sees a named network namespace without leaving its own', () => {
    const server = observed('server');
    expect(addresses(server)).toEqual(['10.0.1.1 10.0.1.2', '10.0.1.1 10.0.2.2']);
    expect(only(server.connections).bytesSent).toBe(observed('bytesRead'));
    expect(addresses(observed('server by path'))).toEqual(addresses(server));
    expect(addresses(observed('this remote'))).toEqual(['10.0.1.2 10.0.1.1', '10.0.2.2 10.0.1.1']);
    expect(seen.get('no such netns')).toBe('NETNS_UNAVAILABLE');
  });

  check('filters by remote end and owner', () => {
    for (const name of ['this remote', 'any port', 'mapped', 'own uid'] as const) {
      expect([observed(name).connections.length, observed(name).subflows.length]).toEqual([1, 2]);
    }
    for (const name of ['other port', 'other address', 'other uid'] as const) {
      expect([observed(name).connections.length, observed(name).subflows.length]).toEqual([0, 0]);
    }
    const { subflows } = observed('with plain');
    expect(subflows.filter((s) => s.token !== undefined)).toHaveLength(2);
    expect(subflows.filter((s) => s.token === undefined).length).toBeGreaterThan(0);
  });

  check('reads the same through the socket itself', () => {
    const diag = observed('snapshot');
    const own = observed('fullInfo');
    expect(addresses(own)).toEqual(addresses(diag));
    const { token, cookie, inode, bytesReceived } = only(diag.connections);
    expect(only(own.connections)).toMatchObject({ token, cookie, inode, bytesReceived, state: 1 });
    expect(own.subflows.map(received).sort()).toEqual(diag.subflows.map(received).sort());
    expect(new Set(own.subflows.map((s) => s.cookie)).size).toBe(2);
  });

  check('gives a user without privileges the same, or ULP_INFO_DENIED', () => {
    const answer = observed('unprivileged');
    if (!answersEverybody()) expect(answer).toMatchObject({ code: 'ULP_INFO_DENIED' });
    else if ('code' in answer) throw new Error(answer.message);
    else expect(addresses(answer)).toEqual(addresses(observed('snapshot')));
  });

  check('reports IPv6', () => {
    const { connections, subflows } = observed('six');
    expect(only(connections).remote).toEqual({ address: 'fd00:1::1', port: 8080 });
    expect(only(subflows).local.address).toBe('fd00:1::2');
  });

  check("borrows a child's socket", () => {
    const { said, diag, own } = observed('borrowed');
    expect(own.bytesReceived).toBeGreaterThanOrEqual(Number(said.replace('read ', '')));
    expect(own).toMatchObject({ token: diag.token, cookie: diag.cookie, remote: diag.remote });
    expect(seen.get('no such fd')).toBe('FD_DENIED');
    expect(seen.get('no such process')).toBe('FD_DENIED');
    expect(seen.get('closed twice')).toBe('BAD_ARGUMENT');
  });

  check('samples on while JavaScript is blocked for a second, and loses nothing', () => {
    const { takenBlocked, wakes, stats } = observed('sampler');
    expect(takenBlocked).toBeGreaterThanOrEqual(5); // 10 on an idle machine
    expect(wakes).toBeGreaterThan(0);
    expect(wakes).toBeLessThan(stats.taken);
    expect(stats).toMatchObject({ read: stats.taken, lost: 0, failed: 0 });
    const small = observed('small');
    expect(small.read).toBe(2);
    expect(small.stats.lost).toBe(small.stats.taken - 2);
  });

  check('reports the capabilities of this kernel, and fails with codes', () => {
    expect(observed('capabilities')).toMatchObject({ mptcp: true, mptcpDiag: true, ulpInfo: true });
    expect(observed('capabilities').tcpInfoLength).toBeGreaterThanOrEqual(232);
    expect(observed('capabilities without').mptcp).toBe(false);
    expect(observed('capabilities without').ulpInfoReason).toContain('net.mptcp.enabled=1');
    expect(seen.get('refused')).toBe('CONNECT_FAILED');
    expect(seen.get('disabled')).toBe('MPTCP_UNAVAILABLE');
    expect(seen.get('not mptcp')).toBe('NOT_MPTCP');
    expect(seen.get('bad address')).toBe('BAD_ARGUMENT');
    expect(seen.get('bad filter')).toBe('BAD_ARGUMENT');
  });
});
