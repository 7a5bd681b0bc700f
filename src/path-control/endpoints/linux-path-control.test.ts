import { describe, expect, it } from 'vitest';
import type { NetworkChange } from '../../kernel';
import { endpoint, LTE, setting, WIFI } from '../testing/endpoint-setting';

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

  it('repeats a flag that a server did not hear, unless the user set it', async () => {
    const ends = { local: { address: LTE, port: 1 }, remote: { address: '10.9.0.1', port: 443 } };
    const { control, channel } = setting([endpoint(1, LTE), endpoint(2, WIFI, 6)]);
    await control.setState('wwan0', 'backup');
    await control.repeatFlags([
      { ...ends, backup: true },
      { ...ends, local: { address: WIFI, port: 2 }, backup: true },
    ]);
    await control.repeatFlags([{ ...ends, backup: false }]);
    const flags = (value: number): string => `flags 1 ${LTE} ${value}`;
    expect(channel.calls).toEqual([flags(6), flags(2), flags(6)]);
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(2, WIFI, 6), endpoint(1, LTE)]);
    await control.repeatFlags([{ ...ends, backup: false }]);
    expect(channel.calls).toHaveLength(4);
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

  it('brings an endpoint back that the kernel refused during a join', async () => {
    const { channel, change, table, errors } = setting([endpoint(1, LTE)], {
      foreignEndpoints: 'suspend',
      used: [],
    });
    const route: NetworkChange = { kind: 'route-changed', interfaceName: 'wwan0', detail: 'route' };
    await change([...table.setLink(link(false)), ...table.setLink(link(true))]);
    const add = channel.add.bind(channel);
    channel.add = () => Promise.reject(new Error('ENOMEM'));
    await change([route]);
    expect(errors).toHaveLength(1);
    expect(channel.endpoints).toEqual([]);
    channel.add = add;
    await change([route]);
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

  it('does not take an endpoint for its own that another program set in its place', async () => {
    const { control, channel } = setting([]);
    await control.setState('wwan0', 'active');
    channel.endpoints = [endpoint(1, LTE)];
    expect(await control.list()).toMatchObject([{ origin: 'foreign' }]);
    await expect(control.setState('wwan0', 'closed')).rejects.toMatchObject({ code: 'FOREIGN' });
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(1, LTE)]);
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
