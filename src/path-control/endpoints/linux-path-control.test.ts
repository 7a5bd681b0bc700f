import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PathControlError } from '../../ports';
import { InterfaceTable, type MptcpEndpoint, type NetworkChange } from '../../kernel';
import { Journal } from './journal';
import { createLinuxPathControl, type LinuxPathControlOptions } from './linux-path-control';
import { createFakeChannel } from '../testing/fake-channel';

const endpoint = (endpointId: number, address: string, flags = 2): MptcpEndpoint => ({
  endpointId,
  address,
  port: 0,
  flags,
  interfaceIndex: 0,
});
const WIFI = '10.0.1.2';
const LTE = '10.0.2.2';

function setting(
  endpoints: MptcpEndpoint[],
  more: Partial<LinuxPathControlOptions> & { used?: string[] } = {},
): {
  channel: ReturnType<typeof createFakeChannel>;
  table: InterfaceTable;
  control: ReturnType<typeof createLinuxPathControl>;
  change: (changes: NetworkChange[]) => Promise<void>;
  errors: unknown[];
} {
  const table = new InterfaceTable();
  table.setLink({ index: 2, name: 'wlan0', up: true, loopback: false });
  table.setLink({ index: 3, name: 'wwan0', up: true, loopback: false });
  table.addAddress(2, WIFI);
  table.addAddress(3, LTE);
  const channel = createFakeChannel(endpoints);
  const errors: unknown[] = [];
  const control = createLinuxPathControl({
    channel,
    table,
    foreignEndpoints: 'keep',
    later: () => () => undefined,
    isUsed: (address) => (more.used ?? [WIFI]).includes(address),
    onError: (error) => errors.push(error),
    ...more,
  });
  const change = async (changes: NetworkChange[]): Promise<void> => {
    for (const item of changes) await control.networkChanged(item);
  };
  return { channel, table, control, change, errors };
}
const link = (up: boolean): { index: number; name: string; up: boolean; loopback: boolean } => ({
  index: 3,
  name: 'wwan0',
  up,
  loopback: false,
});

describe('LinuxPathControl', () => {
  it('repeats the endpoint’s flag to subflows, and gives up on a peer that wants a backup', async () => {
    let shown: 'active' | 'backup' = 'active';
    const { control, channel } = setting([endpoint(1, LTE)], { shownState: () => shown });
    await control.setState('wwan0', 'active');
    expect(channel.calls).toEqual([]);
    shown = 'backup';
    for (let i = 0; i < 5; i += 1) await control.setState('wwan0', 'active');
    const once = [`flags 1 ${LTE} 6`, `flags 1 ${LTE} 2`];
    expect(channel.calls).toEqual([...once, ...once, ...once]);
    expect(channel.endpoints).toEqual([endpoint(1, LTE)]);
  });

  it('never touches a backup that the user set, whatever its subflows show', async () => {
    const { control, channel } = setting([endpoint(1, LTE, 6)], { shownState: () => 'active' });
    await control.setState('wwan0', 'backup');
    expect(channel.calls).toEqual([]);
  });

  it('respects a backup that the user set', async () => {
    const { control, channel } = setting([endpoint(1, LTE, 6)]);
    await expect(control.setState('wwan0', 'active')).rejects.toMatchObject({ code: 'FOREIGN' });
    await control.setState('wwan0', 'backup');
    await control.close();
    expect(channel.calls).toEqual([]);
  });

  it('gives a used address without an endpoint one that opens no second subflow', async () => {
    const { control, channel } = setting([endpoint(255, LTE)]);
    await control.setState('wlan0', 'backup');
    expect(channel.calls).toEqual([`add 254 ${WIFI} 0`, `flags 254 ${WIFI} 4`]);
    await control.restore();
    expect(channel.endpoints).toEqual([endpoint(255, LTE)]);
  });

  it('opens an unused address on demand, and ends it with its own endpoint', async () => {
    const { control, channel } = setting([]);
    await control.setState('wwan0', 'active');
    await control.setState('wwan0', 'closed');
    await control.setState(LTE, 'active');
    await control.close();
    expect(channel.calls).toEqual([
      `add 255 ${LTE} 2`,
      `remove 255 ${LTE} 2`,
      `add 255 ${LTE} 2`,
      `remove 255 ${LTE} 2`,
    ]);
  });

  it('keeps a foreign endpoint when its interface is lost, but not its own', async () => {
    const { control, channel, change, table } = setting([endpoint(1, WIFI)]);
    await control.setState('wwan0', 'active');
    await change(table.setLink(link(false)));
    expect(channel.endpoints).toEqual([endpoint(1, WIFI)]);
    await change(table.setLink({ ...link(false), index: 2, name: 'wlan0' }));
    expect(channel.endpoints).toEqual([endpoint(1, WIFI)]);
    await change(table.setLink(link(true)));
    expect(channel.endpoints.map(({ address }) => address)).toEqual([WIFI, LTE]);
  });

  it('waits for the address before it restores a path, with the state requested meanwhile', async () => {
    const { control, channel, change, table } = setting([endpoint(1, LTE)], {
      foreignEndpoints: 'suspend',
    });
    await change(table.setLink(link(false)));
    await change(table.removeAddress(3, LTE));
    await change(table.setLink(link(true)));
    expect(channel.endpoints).toEqual([]);
    await control.setState('wwan0', 'backup');
    expect((await control.list()).map(({ state }) => state)).toEqual(['closed']);
    await change(table.addAddress(3, LTE));
    expect(channel.endpoints).toEqual([endpoint(1, LTE, 6)]);
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(1, LTE)]);
  });

  it('retries the join when the route comes after the address', async () => {
    const used: string[] = [];
    const { channel, change, table } = setting([endpoint(1, LTE)], {
      foreignEndpoints: 'suspend',
      used,
    });
    const route: NetworkChange = { kind: 'route-changed', interfaceName: 'wwan0', detail: 'route' };
    await change([route, ...table.setLink(link(false)), ...table.setLink(link(true))]);
    expect(channel.calls).toHaveLength(2);
    await change([route]);
    expect(channel.calls).toHaveLength(4);
    used.push(LTE);
    await change([route, route]);
    expect(channel.calls).toHaveLength(4);
    expect(channel.endpoints).toEqual([endpoint(1, LTE)]);
  });

  it('leaves another process’s endpoint alone', async () => {
    const { control, channel, change, table } = setting([endpoint(1, LTE)], {
      foreignEndpoints: 'suspend',
    });
    await change(table.setLink(link(false)));
    channel.endpoints = [endpoint(9, LTE, 10)];
    await change(table.setLink(link(true)));
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(9, LTE, 10)]);
  });

  it('closes first subflows on a lost address only if it knows of them', async () => {
    const known = setting([], { used: [LTE] });
    await known.change(known.table.setLink(link(false)));
    expect(known.channel.calls).toEqual([`remove 0 ${LTE} 0`]);
    const unused = setting([], { used: [] });
    await unused.change(unused.table.setLink(link(false)));
    expect(unused.channel.calls).toEqual([]);
  });

  it('a refusal of the kernel changes nothing and is reported', async () => {
    const { control, channel } = setting([endpoint(1, LTE)]);
    channel.failNext = new Error('EBUSY');
    await expect(control.setState('wwan0', 'backup')).rejects.toThrow('EBUSY');
    expect(await control.list()).toMatchObject([{ state: 'active', changed: false }]);
    await control.setState('wwan0', 'backup');
    expect(await control.list()).toMatchObject([{ state: 'backup', changed: true }]);
  });
});

describe('an address that changes', () => {
  const renewed = '10.0.2.7';

  it('restores the network in the wanted state, and leaves nothing at the end', async () => {
    const { control, channel, change, table } = setting([]);
    await control.setState('wwan0', 'active');
    await control.setState('wwan0', 'backup');
    await change(table.removeAddress(3, LTE));
    expect(channel.endpoints).toEqual([]);
    await change(table.addAddress(3, renewed));
    expect(channel.endpoints).toMatchObject([{ address: renewed, flags: 6, interfaceIndex: 3 }]);
    expect(await control.list()).toMatchObject([
      { pathId: 'wwan0', address: renewed, state: 'backup', origin: 'own' },
    ]);
    await control.setState('wwan0', 'active');
    // Once more: nothing of the earlier addresses is kept.
    await change(table.addAddress(3, '10.0.2.8'));
    await change(table.removeAddress(3, renewed));
    expect(channel.endpoints).toMatchObject([{ address: '10.0.2.8', flags: 2 }]);
    expect(await control.list()).toHaveLength(1);
    await control.close();
    expect(channel.endpoints).toEqual([]);
  });

  it('restores the path of a first subflow, which had no endpoint', async () => {
    const used = [WIFI];
    const { channel, change, table } = setting([], { used });
    await change(table.removeAddress(2, WIFI));
    used.pop();
    await change(table.addAddress(2, '10.0.1.9'));
    expect(channel.endpoints).toMatchObject([{ address: '10.0.1.9', flags: 2 }]);
  });

  it('keeps a closed path closed, until it is wanted', async () => {
    const { control, channel, change, table } = setting([]);
    await control.setState('wwan0', 'active');
    await control.setState('wwan0', 'closed');
    await change([...table.removeAddress(3, LTE), ...table.addAddress(3, renewed)]);
    expect(channel.endpoints).toEqual([]);
    await control.setState('wwan0', 'active');
    expect(channel.endpoints).toMatchObject([{ address: renewed, flags: 2 }]);
  });

  it('waits for the owner of the endpoint, then makes its own and keeps the other', async () => {
    const due: (() => void)[] = [];
    const later = (_: number, work: () => void): (() => void) => {
      due.push(work);
      return () => undefined;
    };
    const { control, channel, change, table } = setting([endpoint(1, LTE)], { later });
    await change([...table.removeAddress(3, LTE), ...table.addAddress(3, renewed)]);
    expect(channel.calls).toEqual([]);
    due.at(-1)?.();
    await control.list();
    expect(channel.endpoints).toMatchObject([{ address: LTE }, { address: renewed, flags: 2 }]);
    await control.setState('wwan0', 'backup');
    expect(channel.endpoints).toMatchObject([{ flags: 2 }, { address: renewed, flags: 6 }]);
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(1, LTE)]);
  });

  it('makes none if the owner of the endpoint moved it', async () => {
    const due: (() => void)[] = [];
    const later = (_: number, work: () => void): (() => void) => {
      due.push(work);
      return () => undefined;
    };
    const { control, channel, change, table } = setting([endpoint(1, LTE)], { later });
    await change([...table.removeAddress(3, LTE), ...table.addAddress(3, renewed)]);
    channel.endpoints = [endpoint(4, renewed)];
    due.at(-1)?.();
    await control.list();
    expect(channel.calls).toEqual([]);
  });
});

describe('the journal', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'journal-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const only = (): string => path.join(folder, readdirSync(folder)[0] ?? '');
  /** As if another process, ended now, had written it. */
  const orphan = (text: string): void => {
    rmSync(only());
    const file = path.join(folder, 'path-control-4194303.json');
    writeFileSync(file, text.replace(/"pid":\d+/, '"pid":4194303'));
  };

  it('is written before the change and removed when the original state is back', async () => {
    const journal = new Journal(folder);
    const { control, channel } = setting([endpoint(1, LTE)], { journal });
    channel.failNext = new Error('died here');
    let noted = '';
    const setFlags = channel.setFlags.bind(channel);
    channel.setFlags = (item) => {
      noted = readFileSync(only(), 'utf8');
      return setFlags(item);
    };
    await expect(control.setState('wwan0', 'backup')).rejects.toThrow();
    expect(JSON.parse(noted)).toMatchObject({
      changes: [{ found: { flags: 2 }, now: { flags: 6 } }],
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that cannot be written refuses the change before it is made', async () => {
    const { control, channel } = setting([endpoint(1, LTE)], { journal: new Journal(folder) });
    rmSync(folder, { recursive: true });
    await expect(control.setState('wwan0', 'backup')).rejects.toThrow('cannot be written');
    expect(channel.endpoints).toEqual([endpoint(1, LTE)]);
  });

  it('lets the next player undo it, once', async () => {
    const { control, channel } = setting([endpoint(1, LTE)], { journal: new Journal(folder) });
    await control.setState('wwan0', 'backup');
    await control.setState('wlan0', 'backup');
    orphan(readFileSync(only(), 'utf8'));
    const next = setting(channel.endpoints, { journal: new Journal(folder) });
    await next.control.restore();
    expect(next.channel.endpoints).toEqual([endpoint(1, LTE)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is removed when the helper reports a foreign change', async () => {
    const { control, channel } = setting([endpoint(1, LTE)], { journal: new Journal(folder) });
    await control.setState('wwan0', 'backup');
    orphan(readFileSync(only(), 'utf8'));
    const next = setting(channel.endpoints, { journal: new Journal(folder) });
    next.channel.failNext = new PathControlError('FOREIGN', 'not made here');
    await expect(next.control.restore()).rejects.toMatchObject({ code: 'FOREIGN' });
    expect(readdirSync(folder)).toEqual([]);
    await next.control.restore();
  });

  it('leaves the journal of a living player, of another place, and an unreadable one alone', async () => {
    const journal = new Journal(folder);
    const { control } = setting([endpoint(1, LTE)], { journal });
    await control.setState('wwan0', 'backup');
    expect(journal.abandoned()).toEqual([]);
    const text = readFileSync(only(), 'utf8');
    orphan(text.replace(/"place":"[^"]*"/, '"place":"elsewhere"'));
    expect(journal.abandoned()).toEqual([]);
    orphan('{"version":1,"changes":[{"address":"; rm -rf /"}]}');
    expect(journal.abandoned()).toEqual([]);
  });
});
