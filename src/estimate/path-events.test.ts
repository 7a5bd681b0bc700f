import { describe, expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { forecast, observeSamples } from '.';
import type { FluidClient } from './testing/fluid-link';
import { pathOf, SEGMENT, twoPaths } from './testing/two-paths';

describe('path events', () => {
  function measured(): FluidClient {
    const client = twoPaths();
    for (let i = 0; i < 4; i += 1) client.download(SEGMENT);
    return client;
  }

  test('a lost interface is out at once, and stays out while samples still show it', () => {
    const client = measured();
    client.event({ kind: 'interface-down', interfaceName: 'lte' });
    expect(forecast(client.state, client.nowMs).rateBps).toBeLessThan(5.1e6);
    expect(pathOf(client, 'lte').usable).toBe(false);
    client.idle(300);
    expect(pathOf(client, 'lte').usable).toBe(false);
  });

  test('it returns with its old rate, which new data outweighs quickly', () => {
    const client = measured();
    const before = pathOf(client, 'lte');
    client.event({ kind: 'interface-down', interfaceName: 'lte' });
    const lte = client.paths[1];
    if (lte) lte.gone = true;
    client.idle(5000);
    if (lte) lte.gone = false;
    client.event({ kind: 'interface-up', interfaceName: 'lte' });
    client.idle(100);
    const back = pathOf(client, 'lte');
    expect(back.usable).toBe(true);
    expect(back.rateBps).toBeCloseTo(before.rateBps, -3);
    // A new, lower rate replaces the old one quickly.
    if (lte) lte.rateBps = 0.5e6;
    client.download(SEGMENT);
    expect(pathOf(client, 'lte').rateBps).toBeLessThan(0.8e6);
  });

  test('bytes after the loss show that a path is alive, without an event', () => {
    const client = measured();
    client.event({ kind: 'interface-down', interfaceName: 'lte' });
    client.download(SEGMENT);
    expect(pathOf(client, 'lte').usable).toBe(true);
  });

  test('a removed address removes only the path without another one', () => {
    const client = measured();
    client.event({ kind: 'address-removed', interfaceName: 'lte', address: 'fe80::1' });
    expect(pathOf(client, 'lte').usable).toBe(true);
    client.event({ kind: 'address-removed', interfaceName: 'lte', address: 'addr-lte' });
    expect(pathOf(client, 'lte').usable).toBe(false);
  });

  test('a backup counts only when no active path lives', () => {
    const client = measured();
    client.event({ kind: 'subflow-priority', pathId: 'lte', backup: true });
    const lte = client.paths[1];
    if (lte) lte.state = 'backup';
    client.idle(200);
    expect(pathOf(client, 'lte').usable).toBe(false);
    expect(pathOf(client, 'lte').rateBps).toBeGreaterThan(1.5e6);
    client.event({ kind: 'interface-down', pathId: 'wifi' });
    const now = forecast(client.state, client.nowMs);
    expect(pathOf(client, 'lte').usable).toBe(true);
    expect(now.rateBps).toBeCloseTo(pathOf(client, 'lte').rateBps, 0);
  });

  test('a loss of all paths is a known zero', () => {
    const client = measured();
    client.event({ kind: 'interface-down', pathId: 'wifi' });
    client.event({ kind: 'interface-down', pathId: 'lte' });
    expect(forecast(client.state, client.nowMs)).toMatchObject({
      rateBps: 0,
      safeRateBps: 0,
      confidence: 1,
      basis: 'paths',
    });
  });

  test('an ended connection is not a lost path', () => {
    const client = measured();
    const before = forecast(client.state, client.nowMs).rateBps;
    client.event({
      kind: 'subflow-closed',
      pathId: 'lte',
      connectionId: 'm:1',
      subflowId: 'lte-1',
    });
    expect(pathOf(client, 'lte').usable).toBe(false);
    for (const path of client.paths) path.gone = true;
    client.idle(300);
    expect(forecast(client.state, client.nowMs).rateBps).toBeCloseTo(before, 0);
  });

  test('a connection that its server ends keeps its paths, before the next sample too', () => {
    const client = measured();
    const before = forecast(client.state, client.nowMs).rateBps;
    for (const pathId of ['wifi', 'lte'])
      client.event({ kind: 'subflow-closed', pathId, connectionId: 'm:1', connectionEnded: true });
    expect(forecast(client.state, client.nowMs).rateBps).toBeCloseTo(before, 0);
  });

  test('a path that joins again within a second keeps its confidence', () => {
    const client = measured();
    const { confidence } = forecast(client.state, client.nowMs);
    client.event({ kind: 'subflow-closed', pathId: 'lte', connectionId: 'm:1' });
    client.event({ kind: 'subflow-established', pathId: 'lte', connectionId: 'm:2' });
    expect(forecast(client.state, client.nowMs).confidence).toBeCloseTo(confidence, 2);
  });

  test.each(['closed', 'connecting'] as const)(
    'a server that closes after every answer leaves the forecast as it was (%s)',
    (state) => {
      const client = measured();
      const before = forecast(client.state, client.nowMs).rateBps;
      for (const path of client.paths) path.state = state;
      client.idle(300);
      expect(forecast(client.state, client.nowMs)).toMatchObject({ basis: 'paths' });
      expect(forecast(client.state, client.nowMs).rateBps).toBeCloseTo(before, 0);
    },
  );

  test('a server that closes after every answer: a young connection over one path leaves the other’s forecast', () => {
    const client = measured();
    const before = forecast(client.state, client.nowMs).rateBps;
    const young = (): void => {
      client.nowMs += 100;
      const sound = connection([subflow('wifi', 1000)], { connectionId: 'm:2' });
      client.state = observeSamples(client.state, batch(client.nowMs, [sound]));
    };
    for (let ms = 0; ms < 900; ms += 100) young();
    expect(pathOf(client, 'lte').usable).toBe(true);
    expect(forecast(client.state, client.nowMs).rateBps).toBeCloseTo(before, 0);
    for (let ms = 0; ms < 300; ms += 100) young();
    expect(pathOf(client, 'lte').usable).toBe(false);
  });

  test('a subflow that closes beside a living one is a lost path', () => {
    const client = measured();
    const [wifi] = client.paths;
    if (wifi) wifi.state = 'closed';
    client.idle(300);
    expect(pathOf(client, 'wifi').usable).toBe(false);
  });

  test('events of unknown paths change nothing', () => {
    const client = measured();
    const before = client.state;
    client.event({ kind: 'interface-down', interfaceName: 'eth7' });
    client.event({ kind: 'route-changed' });
    expect(client.state).toBe(before);
  });
});
