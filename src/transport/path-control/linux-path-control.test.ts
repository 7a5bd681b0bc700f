import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InterfaceTable, type MptcpEndpoint, type NetworkChange } from '../codec';
import { Journal } from './journal';
import { createLinuxPathControl, type LinuxPathControlOptions } from './linux-path-control';
import { createFakeChannel } from './testing/fake-channel';

const endpoint = (endpointId: number, address: string, flags = 2): MptcpEndpoint => ({
  endpointId,
  address,
  port: 0,
  flags,
  interfaceIndex: 0,
});
const wifi = '10.0.1.2';
const lte = '10.0.2.2';

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
  table.addAddress(2, wifi);
  table.addAddress(3, lte);
  const channel = createFakeChannel(endpoints);
  const errors: unknown[] = [];
  const control = createLinuxPathControl({
    channel,
    table,
    foreignEndpoints: 'keep',
    isUsed: (address) => (more.used ?? [wifi]).includes(address),
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
  it('tells subflows again what their endpoint says already, and gives up on a peer that wants a backup', async () => {
    let shown: 'active' | 'backup' = 'active';
    const { control, channel } = setting([endpoint(1, lte)], { shownState: () => shown });
    await control.setState('wwan0', 'active');
    expect(channel.calls).toEqual([]);
    shown = 'backup';
    for (let i = 0; i < 5; i += 1) await control.setState('wwan0', 'active');
    const once = [`flags 1 ${lte} 6`, `flags 1 ${lte} 2`];
    expect(channel.calls).toEqual([...once, ...once, ...once]);
    expect(channel.endpoints).toEqual([endpoint(1, lte)]);
  });

  it('never touches a backup that the user set, whatever its subflows show', async () => {
    const { control, channel } = setting([endpoint(1, lte, 6)], { shownState: () => 'active' });
    await control.setState('wwan0', 'backup');
    expect(channel.calls).toEqual([]);
  });

  it('respects a backup that the user set', async () => {
    const { control, channel } = setting([endpoint(1, lte, 6)]);
    await expect(control.setState('wwan0', 'active')).rejects.toMatchObject({ code: 'FOREIGN' });
    await control.setState('wwan0', 'backup');
    await control.close();
    expect(channel.calls).toEqual([]);
  });

  it('gives a used address without an endpoint one that opens no second subflow', async () => {
    const { control, channel } = setting([endpoint(255, lte)]);
    await control.setState('wlan0', 'backup');
    expect(channel.calls).toEqual([`add 254 ${wifi} 0`, `flags 254 ${wifi} 4`]);
    await control.restore();
    expect(channel.endpoints).toEqual([endpoint(255, lte)]);
  });

  it('opens an unused address on demand, and ends it with its own endpoint', async () => {
    const { control, channel } = setting([]);
    await control.setState('wwan0', 'active');
    await control.setState('wwan0', 'closed');
    await control.setState(lte, 'active');
    await control.close();
    expect(channel.calls).toEqual([
      `add 255 ${lte} 2`,
      `remove 255 ${lte} 2`,
      `add 255 ${lte} 2`,
      `remove 255 ${lte} 2`,
    ]);
  });

  it('keeps a foreign endpoint when its interface is lost, its own not', async () => {
    const { control, channel, change, table } = setting([endpoint(1, wifi)]);
    await control.setState('wwan0', 'active');
    await change(table.setLink(link(false)));
    expect(channel.endpoints).toEqual([endpoint(1, wifi)]);
    await change(table.setLink({ ...link(false), index: 2, name: 'wlan0' }));
    expect(channel.endpoints).toEqual([endpoint(1, wifi)]);
    await change(table.setLink(link(true)));
    expect(channel.endpoints.map(({ address }) => address)).toEqual([wifi, lte]);
  });

  it('waits for the address before it brings a path back, with the state asked meanwhile', async () => {
    const { control, channel, change, table } = setting([endpoint(1, lte)], {
      foreignEndpoints: 'suspend',
    });
    await change(table.setLink(link(false)));
    await change(table.removeAddress(3, lte));
    await change(table.setLink(link(true)));
    expect(channel.endpoints).toEqual([]);
    await control.setState('wwan0', 'backup');
    expect((await control.list()).map(({ state }) => state)).toEqual(['closed']);
    await change(table.addAddress(3, lte));
    expect(channel.endpoints).toEqual([endpoint(1, lte, 6)]);
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(1, lte)]);
  });

  it('tries to join again when the route comes after the address', async () => {
    const used: string[] = [];
    const { channel, change, table } = setting([endpoint(1, lte)], {
      foreignEndpoints: 'suspend',
      used,
    });
    const route: NetworkChange = { kind: 'route-changed', interfaceName: 'wwan0', detail: 'route' };
    await change([route, ...table.setLink(link(false)), ...table.setLink(link(true))]);
    expect(channel.calls).toHaveLength(2);
    await change([route]);
    expect(channel.calls).toHaveLength(4);
    used.push(lte);
    await change([route, route]);
    expect(channel.calls).toHaveLength(4);
    expect(channel.endpoints).toEqual([endpoint(1, lte)]);
  });

  it('leaves alone what somebody else put where an endpoint was', async () => {
    const { control, channel, change, table } = setting([endpoint(1, lte)], {
      foreignEndpoints: 'suspend',
    });
    await change(table.setLink(link(false)));
    channel.endpoints = [endpoint(9, lte, 10)];
    await change(table.setLink(link(true)));
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(9, lte, 10)]);
  });

  it('closes first subflows on a lost address only where it knows they are there', async () => {
    const known = setting([], { used: [lte] });
    await known.change(known.table.setLink(link(false)));
    expect(known.channel.calls).toEqual([`remove 0 ${lte} 0`]);
    const unused = setting([], { used: [] });
    await unused.change(unused.table.setLink(link(false)));
    expect(unused.channel.calls).toEqual([]);
  });

  it('a refusal of the kernel changes nothing and is told', async () => {
    const { control, channel } = setting([endpoint(1, lte)]);
    channel.failNext = new Error('EBUSY');
    await expect(control.setState('wwan0', 'backup')).rejects.toThrow('EBUSY');
    expect(await control.list()).toMatchObject([{ state: 'active', changed: false }]);
    await control.setState('wwan0', 'backup');
    expect(await control.list()).toMatchObject([{ state: 'backup', changed: true }]);
  });
});

describe('the journal', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'journal-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const only = (): string => path.join(folder, readdirSync(folder)[0] ?? '');
  /** As if another process, now gone, had written it. */
  const orphan = (text: string): void => {
    rmSync(only());
    writeFileSync(
      path.join(folder, 'path-control-4194303.json'),
      text.replace(/"pid":\d+/, '"pid":4194303'),
    );
  };

  it('is written before the change and gone when all is as found', async () => {
    const journal = new Journal(folder);
    const { control, channel } = setting([endpoint(1, lte)], { journal });
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

  it('lets the next player undo it, once', async () => {
    const { control, channel } = setting([endpoint(1, lte)], { journal: new Journal(folder) });
    await control.setState('wwan0', 'backup');
    await control.setState('wlan0', 'backup');
    orphan(readFileSync(only(), 'utf8'));
    const next = setting(channel.endpoints, { journal: new Journal(folder) });
    let kept = 0;
    next.channel.keep = () => Promise.resolve(void (kept += 1));
    await next.control.restore();
    expect(next.channel.endpoints).toEqual([endpoint(1, lte)]);
    // Whoever undoes its own changes at its end must not count these among them.
    expect(kept).toBe(1);
    await next.control.setState('wwan0', 'backup');
    await next.control.restore();
    expect(kept).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves the journal of a living player, another place and nonsense alone', async () => {
    const journal = new Journal(folder);
    const { control } = setting([endpoint(1, lte)], { journal });
    await control.setState('wwan0', 'backup');
    expect(journal.abandoned()).toEqual([]);
    const text = readFileSync(only(), 'utf8');
    orphan(text.replace(/"place":"[^"]*"/, '"place":"elsewhere"'));
    expect(journal.abandoned()).toEqual([]);
    orphan('{"version":1,"changes":[{"address":"; rm -rf /"}]}');
    expect(journal.abandoned()).toEqual([]);
  });
});
