import { describe, expect, it } from 'vitest';
import { endpoint, LTE, setting, WIFI } from '../testing/endpoint-setting';

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
