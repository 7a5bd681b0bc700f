import { describe, expect, it } from 'vitest';
import { connection, LTE, setting } from '../testing/connection-setting';

const server = { address: '10.9.0.1', port: 443 };
const lte = { local: { address: LTE, port: 50_255 }, remote: server };

describe('a backup flag that did not reach its server', () => {
  it('is sent again, for that subflow only', async () => {
    const { channel, observe, control, unhear } = setting([connection(1)]);
    await observe();
    await control.setState('wwan0', 'backup');
    const before = channel.calls.length;
    await unhear({ ...lte, backup: true });
    expect(channel.calls.slice(before)).toEqual([`backup 1 ${LTE}`]);
    await unhear({ ...lte, local: { address: LTE, port: 1 }, backup: true });
    expect(channel.calls.slice(before)).toHaveLength(1);
    await control.setState('wwan0', 'active');
    await unhear({ ...lte, backup: false });
    expect(channel.calls.slice(before)).toEqual([
      `backup 1 ${LTE}`,
      `active 1 ${LTE}`,
      `active 1 ${LTE}`,
    ]);
  });

  it('gives way to a new wish, which is sent', async () => {
    const { channel, observe, control, unhear } = setting([connection(1)]);
    await observe();
    await control.setState('wwan0', 'backup');
    const before = channel.calls.length;
    await Promise.all([control.setState('wwan0', 'active'), unhear({ ...lte, backup: true })]);
    expect(channel.calls.slice(before)).toEqual([`active 1 ${LTE}`]);
    expect(channel.live[0]?.subflows.map(({ backupLocal }) => backupLocal)).toEqual([false, false]);
  });

  it('is left alone where another program set it', async () => {
    const { channel, observe, control, unhear } = setting([connection(1)]);
    await observe();
    const before = channel.calls.length;
    await unhear({ ...lte, backup: true });
    await control.setState('wwan0', 'backup');
    await unhear({ ...lte, backup: false });
    expect(channel.calls.slice(before)).toEqual([`backup 1 ${LTE}`]);
  });
});
