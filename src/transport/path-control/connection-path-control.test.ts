import { describe, expect, it } from 'vitest';
import { PathControlError } from '../../ports';
import { InterfaceTable, type LinkUpdate } from '../codec';
import type { LiveConnection } from './connection-channel';
import { createConnectionPathControl, type ConnectionPathControl } from './connection-path-control';
import {
  createFakeConnections,
  liveSubflow,
  type FakeConnections,
} from './testing/fake-connections';

const wifi = '10.0.1.2';
const lte = '10.0.2.2';
const server = { address: '10.9.0.1', port: 443 };
const connection = (token: number, more: Partial<LiveConnection> = {}): LiveConnection => ({
  token,
  remote: server,
  subflows: [liveSubflow(wifi)],
  ...more,
});
const wwan = (up: boolean): LinkUpdate => ({ index: 3, name: 'wwan0', up, loopback: false });

interface Setting {
  channel: FakeConnections;
  table: InterfaceTable;
  control: ConnectionPathControl;
  tokens: Set<number>;
  /** Addresses without a route. */
  unreachable: Set<string>;
  observe: () => Promise<void>;
  change: (changes: ReturnType<InterfaceTable['setLink']>) => Promise<void>;
  /** Lets so much time pass. */
  pass: (ms: number) => Promise<void>;
  errors: unknown[];
  details: string[];
}

function setting(live: LiveConnection[], watched = live.map(({ token }) => token)): Setting {
  const table = new InterfaceTable();
  table.setLink({ index: 1, name: 'lo', up: true, loopback: true });
  table.addAddress(1, '127.0.0.1');
  table.setLink({ index: 2, name: 'wlan0', up: true, loopback: false });
  table.setLink(wwan(true));
  table.addAddress(2, wifi);
  table.addAddress(3, lte);
  const channel = createFakeConnections(live);
  const tokens = new Set(watched);
  const unreachable = new Set<string>();
  const errors: unknown[] = [];
  const details: string[] = [];
  let listener: (changed: boolean) => void = () => undefined;
  let nowMs = 0;
  const timers = new Map<symbol, { atMs: number; work: () => void }>();
  const control = createConnectionPathControl({
    channel,
    table,
    watched: { tokens: () => tokens, onObserved: (told) => void (listener = told) },
    reaches: (_to, from) => Promise.resolve(!unreachable.has(from)),
    nowMs: () => nowMs,
    later(delayMs, work) {
      const key = Symbol('timer');
      timers.set(key, { atMs: nowMs + delayMs, work });
      return () => timers.delete(key);
    },
    onError: (error) => errors.push(error),
  });
  control.onChange(({ detail }) => details.push(detail));
  const settled = async (): Promise<void> => {
    await control.list();
  };
  return {
    channel,
    table,
    control,
    tokens,
    unreachable,
    errors,
    details,
    async observe() {
      listener(true);
      await settled();
    },
    async change(changes) {
      for (const item of changes) await control.networkChanged(item);
    },
    async pass(ms) {
      nowMs += ms;
      for (const [key, { atMs, work }] of [...timers]) {
        if (atMs > nowMs) continue;
        timers.delete(key);
        work();
      }
      await settled();
    },
  };
}

describe('PathControl by connection', () => {
  it('opens a subflow over every other path, for watched connections alone', async () => {
    const { channel, observe, control } = setting([connection(1), connection(2)], [1]);
    await observe();
    await observe();
    expect(channel.calls).toEqual([`create 1 255 ${lte} 3 10.9.0.1`]);
    expect(await control.list()).toMatchObject([
      { pathId: 'wlan0', address: wifi, state: 'active', origin: 'own', changed: false },
      { pathId: 'wwan0', address: lte, state: 'active', origin: 'own', changed: false },
    ]);
  });

  it('waits until a connection may have more subflows', async () => {
    const young = connection(1, { subflows: [liveSubflow(wifi, { fullyEstablished: false })] });
    const { channel, observe } = setting([young]);
    await observe();
    expect(channel.calls).toEqual([]);
    young.subflows = [liveSubflow(wifi)];
    await observe();
    expect(channel.calls).toHaveLength(1);
  });

  it('makes a full mesh with what the server announces, and respects what it does not want', async () => {
    const { channel, observe } = setting([connection(1), connection(2)]);
    const second = { address: '10.9.0.2', port: 443 };
    channel.tell({ kind: 'announced', token: 1, remoteId: 5, remote: second });
    channel.tell({ kind: 'established', token: 2, denyJoinInitial: true });
    await observe();
    expect(channel.calls).toEqual([
      `create 1 255 ${lte} 3 10.9.0.1`,
      `create 1 254 ${wifi} 2 10.9.0.2`,
      `create 1 255 ${lte} 3 10.9.0.2`,
    ]);
    channel.tell({ kind: 'announced', token: 2, remoteId: 5, remote: second });
    await observe();
    expect(channel.calls.slice(3)).toEqual([
      `create 2 255 ${wifi} 2 10.9.0.2`,
      `create 2 254 ${lte} 3 10.9.0.2`,
    ]);
  });

  it('makes a path a backup for all that is and all that comes', async () => {
    const { channel, observe, control, tokens } = setting([connection(1)]);
    await observe();
    await control.setState('wwan0', 'backup');
    channel.live.push(connection(2));
    tokens.add(2);
    await observe();
    await control.restore();
    expect(channel.calls.slice(1)).toEqual([
      `backup 1 ${lte}`,
      `create 2 255 ${lte} 3 10.9.0.1 backup`,
      `active 1 ${lte}`,
      `active 2 ${lte}`,
    ]);
  });

  it('asks once and respects what others do to a subflow afterwards', async () => {
    const { channel, observe, control } = setting([connection(1)]);
    await observe();
    await control.setState('wwan0', 'backup');
    for (const subflow of channel.live[0]?.subflows ?? []) subflow.backupLocal = false;
    await observe();
    expect(channel.calls.filter((call) => call.startsWith('backup'))).toHaveLength(1);
  });

  it('closes a path, but never the last subflow that lives', async () => {
    const { channel, observe, control } = setting([connection(1)]);
    await control.setState('wlan0', 'closed');
    // The other path had to be there first.
    await observe();
    expect(channel.calls).toEqual([`create 1 255 ${lte} 3 10.9.0.1`, `destroy 1 ${wifi} 10.9.0.1`]);
    await control.setState('wwan0', 'closed');
    expect(channel.live[0]?.subflows).toHaveLength(1);
    await control.setState(wifi, 'active');
    expect(channel.live[0]?.subflows).toHaveLength(2);
    await observe();
    expect(channel.live[0]?.subflows.map(({ local }) => local.address)).toEqual([wifi]);
  });

  it('ends the subflows of a lost link at once and opens them when there is a way', async () => {
    const { channel, table, observe, change, control, unreachable, details } = setting([
      connection(1),
    ]);
    await observe();
    channel.calls.length = 0;
    await change(table.setLink(wwan(false)));
    expect(channel.calls).toEqual(['remove 1 255', `destroy 1 ${lte} 10.9.0.1`]);
    expect(await control.list()).toMatchObject([{ state: 'active' }, { state: 'closed' }]);
    unreachable.add(lte);
    await change(table.setLink(wwan(true)));
    expect(channel.calls).toHaveLength(2);
    unreachable.clear();
    await control.networkChanged({ kind: 'route-changed', interfaceName: 'wwan0', detail: 'r' });
    expect(channel.calls.slice(2)).toEqual([`create 1 255 ${lte} 3 10.9.0.1`]);
    expect(details).toEqual(['wwan0 was lost: its subflows are closed', 'wwan0 is back']);
  });

  it('leaves the only subflow on a lost link, for the link may return', async () => {
    const alone = connection(1, { subflows: [liveSubflow(lte)] });
    const { channel, table, change, unreachable } = setting([alone]);
    unreachable.add(wifi);
    await change(table.setLink(wwan(false)));
    expect(channel.calls).toEqual([]);
  });

  it('tries again what brought no subflow, ever later, and at once when the network changes', async () => {
    const { channel, observe, pass, control } = setting([connection(1)]);
    channel.fate = 'none';
    await observe();
    for (let second = 0; second < 200; second += 1) await pass(1000);
    const tries = channel.calls.length;
    expect(tries).toBe(8);
    await control.networkChanged({ kind: 'route-changed', interfaceName: 'wwan0', detail: 'r' });
    expect(channel.calls).toHaveLength(tries + 1);
  });

  it('takes another id when the kernel does not take one, and says so once', async () => {
    const { channel, observe, pass, errors } = setting([connection(1)]);
    channel.failing.set('create', new PathControlError('FAILED', 'Request rejected: EINVAL'));
    await observe();
    await pass(1000);
    expect(channel.calls).toEqual([
      `create 1 255 ${lte} 3 10.9.0.1`,
      `create 1 254 ${lte} 3 10.9.0.1`,
    ]);
    expect(errors).toHaveLength(1);
  });

  it('refuses where the kernel does, and leaves things as they were', async () => {
    const { channel, observe, control, details } = setting([connection(1)]);
    await observe();
    channel.failing.set('backup', new PathControlError('FAILED', 'no'));
    await expect(control.setState('wwan0', 'backup')).rejects.toMatchObject({ code: 'FAILED' });
    expect(await control.list()).toMatchObject([{ state: 'active' }, { state: 'active' }]);
    expect(details).toEqual([]);
    await expect(control.setState('eth9', 'backup')).rejects.toMatchObject({
      code: 'NO_SUCH_PATH',
    });
  });

  it('does not mind a connection that ends in between', async () => {
    const { channel, observe, control, errors } = setting([connection(1)]);
    await observe();
    channel.failing.set('backup', new PathControlError('FAILED', 'invalid token'));
    const first = await channel.connections(new Set([1]));
    let looks = 0;
    channel.connections = () => {
      looks += 1;
      return Promise.resolve(looks === 1 ? first : []);
    };
    await control.setState('wwan0', 'backup');
    expect(errors).toEqual([]);
  });

  it('at the end clears backups and opens nothing', async () => {
    const { channel, observe, control, table, change } = setting([connection(1)]);
    await observe();
    await control.setState('wwan0', 'backup');
    await control.setState('wlan0', 'closed');
    channel.calls.length = 0;
    await control.close();
    expect(channel.calls).toEqual([`active 1 ${lte}`]);
    await change(table.setLink(wwan(false)));
    expect(channel.calls).toHaveLength(1);
    await expect(control.list()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('takes one address a network and family, the one in use', async () => {
    const { channel, table, observe } = setting([connection(1)]);
    table.addAddress(2, '10.0.1.77');
    table.addAddress(3, 'fd00::2');
    table.addAddress(3, '169.254.3.3');
    table.addAddress(3, '10.0.2.77');
    await observe();
    expect(channel.calls).toEqual([`create 1 255 ${lte} 3 10.9.0.1`]);
  });
});
