import { describe, expect, it } from 'vitest';
import { PathControlError } from '../../ports';
import { liveSubflow } from '../testing/fake-connections';
import { connection, LTE, setting, WIFI, wwan } from '../testing/connection-setting';

describe('PathControl by connection', () => {
  it('opens a subflow over every other path, for watched connections only', async () => {
    const { channel, observe, control } = setting([connection(1), connection(2)], [1]);
    await observe();
    await observe();
    expect(channel.calls).toEqual([`create 1 255 ${LTE} 3 10.9.0.1`]);
    expect(await control.list()).toMatchObject([
      { pathId: 'wlan0', address: WIFI, state: 'active', origin: 'own', changed: false },
      { pathId: 'wwan0', address: LTE, state: 'active', origin: 'own', changed: false },
    ]);
  });

  it('reads its connections again when events were dropped', async () => {
    const { channel, observe, control } = setting([connection(1)]);
    await observe();
    const [live] = channel.live;
    live?.subflows.splice(1);
    // The dropped events include the one of the closed subflow.
    channel.lose();
    await control.list();
    expect(channel.live[0]?.subflows).toHaveLength(2);
  });

  it('waits until a connection accepts more subflows', async () => {
    const young = connection(1, { subflows: [liveSubflow(WIFI, { fullyEstablished: false })] });
    const { channel, observe } = setting([young]);
    await observe();
    expect(channel.calls).toEqual([]);
    young.subflows = [liveSubflow(WIFI)];
    await observe();
    expect(channel.calls).toHaveLength(1);
  });

  it('makes a full mesh with the server’s announcements, and respects its limits', async () => {
    const { channel, observe } = setting([connection(1), connection(2)]);
    const second = { address: '10.9.0.2', port: 443 };
    channel.emit({ kind: 'announced', token: 1, remoteId: 5, remote: second });
    channel.emit({ kind: 'established', token: 2, denyJoinInitial: true });
    await observe();
    expect(channel.calls).toEqual([
      `create 1 255 ${LTE} 3 10.9.0.1`,
      `create 1 254 ${WIFI} 2 10.9.0.2`,
      `create 1 255 ${LTE} 3 10.9.0.2`,
    ]);
    channel.emit({ kind: 'announced', token: 2, remoteId: 5, remote: second });
    await observe();
    expect(channel.calls.slice(3)).toEqual([
      `create 2 255 ${WIFI} 2 10.9.0.2`,
      `create 2 254 ${LTE} 3 10.9.0.2`,
    ]);
  });

  it('makes a path a backup for present and future subflows', async () => {
    const { channel, observe, control, tokens } = setting([connection(1)]);
    await observe();
    await control.setState('wwan0', 'backup');
    channel.live.push(connection(2));
    tokens.add(2);
    await observe();
    await control.restore();
    expect(channel.calls.slice(1)).toEqual([
      `backup 1 ${LTE}`,
      `create 2 255 ${LTE} 3 10.9.0.1 backup`,
      `active 1 ${LTE}`,
      `active 2 ${LTE}`,
    ]);
  });

  it('requests once and respects later changes by others', async () => {
    const { channel, observe, control } = setting([connection(1)]);
    await observe();
    await control.setState('wwan0', 'backup');
    for (const subflow of channel.live[0]?.subflows ?? []) subflow.backupLocal = false;
    await observe();
    expect(channel.calls.filter((call) => call.startsWith('backup'))).toHaveLength(1);
  });

  it('closes a path, but never the last living subflow', async () => {
    const { channel, observe, control } = setting([connection(1)]);
    await control.setState('wlan0', 'closed');
    // The other path had to exist first.
    await observe();
    expect(channel.calls).toEqual([`create 1 255 ${LTE} 3 10.9.0.1`, `destroy 1 ${WIFI} 10.9.0.1`]);
    await control.setState('wwan0', 'closed');
    expect(channel.live[0]?.subflows).toHaveLength(1);
    await control.setState(WIFI, 'active');
    expect(channel.live[0]?.subflows).toHaveLength(2);
    await observe();
    expect(channel.live[0]?.subflows.map(({ local }) => local.address)).toEqual([WIFI]);
  });

  it('ends the subflows of a lost link at once and opens them when a route exists', async () => {
    const { channel, table, observe, change, control, unreachable, details } = setting([
      connection(1),
    ]);
    await observe();
    channel.calls.length = 0;
    await change(table.setLink(wwan(false)));
    expect(channel.calls).toEqual(['remove 1 255', `destroy 1 ${LTE} 10.9.0.1`]);
    expect(await control.list()).toMatchObject([{ state: 'active' }, { state: 'closed' }]);
    unreachable.add(LTE);
    await change(table.setLink(wwan(true)));
    expect(channel.calls).toHaveLength(2);
    unreachable.clear();
    await control.networkChanged({ kind: 'route-changed', interfaceName: 'wwan0', detail: 'r' });
    expect(channel.calls.slice(2)).toEqual([`create 1 255 ${LTE} 3 10.9.0.1`]);
    expect(details).toEqual(['wwan0 was lost: its subflows are closed', 'wwan0 is back']);
  });

  it('keeps the only subflow on a lost link, for the link may return', async () => {
    const alone = connection(1, { subflows: [liveSubflow(LTE)] });
    const { channel, table, change, unreachable } = setting([alone]);
    unreachable.add(WIFI);
    await change(table.setLink(wwan(false)));
    expect(channel.calls).toEqual([]);
  });

  it('retries a failed subflow with backoff, and at once when the network changes', async () => {
    const { channel, observe, pass, control } = setting([connection(1)]);
    channel.fate = 'none';
    await observe();
    for (let second = 0; second < 100; second += 1) await pass(1000);
    expect(channel.calls).toHaveLength(8);
    // A dead zone makes no event when it ends: one attempt a minute goes on.
    for (let second = 0; second < 180; second += 1) await pass(1000);
    const tries = channel.calls.length;
    expect(tries).toBe(11);
    await control.networkChanged({ kind: 'route-changed', interfaceName: 'wwan0', detail: 'r' });
    expect(channel.calls).toHaveLength(tries + 1);
  });

  it('takes another id when the kernel refuses one, and reports it once', async () => {
    const { channel, observe, pass, errors } = setting([connection(1)]);
    channel.failing.set('create', new PathControlError('FAILED', 'Request rejected: EINVAL'));
    await observe();
    await pass(1000);
    expect(channel.calls).toEqual([
      `create 1 255 ${LTE} 3 10.9.0.1`,
      `create 1 254 ${LTE} 3 10.9.0.1`,
    ]);
    expect(errors).toHaveLength(1);
  });

  it('refuses when the kernel does, and changes nothing', async () => {
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

  it('tolerates a connection that ends during a change', async () => {
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
    expect(channel.calls).toEqual([`active 1 ${LTE}`]);
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
    expect(channel.calls).toEqual([`create 1 255 ${LTE} 3 10.9.0.1`]);
  });
});
