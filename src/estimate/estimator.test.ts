import { describe, expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { createPathEstimator, forecast, observeRequestStart, observeSamples } from '.';
import { FluidClient } from './testing/fluid-link';

const SEGMENT = 1_400_000;

function pathOf(client: FluidClient, id: string) {
  const found = forecast(client.state, client.nowMs).paths.find((path) => path.pathId === id);
  if (!found) throw new Error(`no forecast for ${id}`);
  return found;
}

function twoPaths(wifiBps = 5e6, lteBps = 2e6): FluidClient {
  return new FluidClient([
    { id: 'wifi', rateBps: wifiBps },
    { id: 'lte', rateBps: lteBps },
  ]);
}

describe('path estimator', () => {
  test('learns each path and their sum from downloads', () => {
    const client = twoPaths();
    for (let i = 0; i < 6; i += 1) client.download(SEGMENT);
    const now = forecast(client.state, client.nowMs);
    expect(now.basis).toBe('paths');
    expect(pathOf(client, 'wifi').rateBps).toBeCloseTo(5e6, -5);
    expect(pathOf(client, 'lte').rateBps).toBeCloseTo(2e6, -5);
    expect(now.rateBps).toBeGreaterThan(6.5e6);
    expect(now.safeRateBps).toBeLessThanOrEqual(now.rateBps);
    expect(now.safeRateBps).toBeGreaterThan(5.8e6);
    expect(now.confidence).toBeGreaterThan(0.9);
  });

  test('idle time changes no estimate, only confidence', () => {
    const client = twoPaths();
    for (let i = 0; i < 4; i += 1) client.download(SEGMENT);
    const before = forecast(client.state, client.nowMs);
    client.idle(30_000);
    const after = forecast(client.state, client.nowMs);
    expect(after.rateBps).toBeCloseTo(before.rateBps, 0);
    expect(after.confidence).toBeLessThan(before.confidence * 0.8);
  });

  test('segments with pauses between them are measured as the link, not as the average', () => {
    const client = twoPaths();
    for (let i = 0; i < 8; i += 1) {
      client.download(SEGMENT / 2);
      client.idle(1200);
    }
    expect(forecast(client.state, client.nowMs).rateBps).toBeGreaterThan(6.3e6);
  });

  test('a tail that waits for the slow path does not lower the fast one', () => {
    const client = twoPaths(5e6, 0.6e6);
    // A fifth of every segment goes over the slow path: the fast one is idle most of the time.
    for (let i = 0; i < 10; i += 1) {
      client.download(1_100_000, [0.8, 0.2]);
      client.idle(300);
    }
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(4.6e6);
    expect(pathOf(client, 'lte').rateBps).toBeLessThan(0.7e6);
  });

  test('a drop of the rate is followed within a segment, safe rate first', () => {
    const client = twoPaths();
    for (let i = 0; i < 4; i += 1) client.download(SEGMENT);
    const wifi = client.paths[0];
    if (wifi) wifi.rateBps = 1e6;
    client.download(SEGMENT, undefined, 2500);
    expect(pathOf(client, 'wifi').safeRateBps).toBeLessThan(1.9e6);
  });

  test('a dip is over after a few small segments, although they arrive within moments', () => {
    const client = twoPaths(4e6, 0);
    const wifi = client.paths[0];
    for (let i = 0; i < 4; i += 1) client.download(SEGMENT, [1, 0]);
    if (wifi) wifi.rateBps = 0.4e6;
    for (let i = 0; i < 8; i += 1) client.download(75_000, [1, 0]);
    expect(pathOf(client, 'wifi').rateBps).toBeLessThan(0.5e6);
    if (wifi) wifi.rateBps = 4e6;
    for (let i = 0; i < 3; i += 1) client.download(75_000, [1, 0]);
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(2.5e6);
  });

  test('short bursts bound an unknown path from below and never overestimate', () => {
    const client = twoPaths();
    for (let i = 0; i < 5; i += 1) {
      client.download(60_000);
      client.idle(2000);
    }
    const { rateBps, confidence } = forecast(client.state, client.nowMs);
    expect(rateBps).toBeGreaterThan(0);
    expect(rateBps).toBeLessThanOrEqual(7e6 * 1.001);
    expect(confidence).toBeLessThan(0.95);
  });

  /** One path with one request throughout: kilobytes in each 100 ms. */
  function expectedAfter(kilobytes: number[]): number {
    let state = observeRequestStart(createPathEstimator(), { requestId: 1, startMs: 0 });
    let bytes = 0;
    let nowMs = 0;
    state = observeSamples(state, batch(nowMs, [connection([subflow('wifi', 0)])]));
    for (const one of kilobytes) {
      nowMs += 100;
      bytes += one * 1000;
      state = observeSamples(state, batch(nowMs, [connection([subflow('wifi', bytes)])]));
    }
    return forecast(state, nowMs).paths[0]?.rateBps ?? NaN;
  }
  const steady = (count: number): number[] => Array.from({ length: count }, () => 25);

  test('the burst after a silence counts over the whole busy time', () => {
    // A queue fills for 400 ms and empties at once: still 2 Mbit/s.
    const rateBps = expectedAfter([...steady(20), 0, 0, 0, 0, 125, ...steady(2)]);
    expect(rateBps / 2e6).toBeCloseTo(1, 2);
  });

  test('the first, partly used interval with bytes does not count', () => {
    expect(expectedAfter([0, 3, ...steady(6)]) / 2e6).toBeCloseTo(1, 2);
  });

  test('no whole download is faster than its forecast by more than the link allows', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 3e6 }]);
    client.download(800_000);
    expect(pathOf(client, 'wifi').rateBps).toBeLessThanOrEqual(3e6 * 1.001);
  });

  test('a missing answer reduces the rate after a second and a half', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 4e6 }]);
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    const wifi = client.paths[0];
    if (wifi) wifi.blackholed = true;
    client.idle(300);
    client.download(SEGMENT, undefined, 1000);
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(3.5e6);
    client.idle(500);
    client.download(SEGMENT, undefined, 4000);
    expect(pathOf(client, 'wifi').safeRateBps).toBeLessThan(1.5e6);
  });

  test('bytes that stop during a request count as an outage after half a second', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 4e6 }]);
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    const wifi = client.paths[0];
    if (wifi) wifi.blackholed = true;
    client.download(1_000_000, [1], 4000);
    expect(pathOf(client, 'wifi').safeRateBps).toBeLessThan(1e6);
  });

  test('a head-of-line blocked path is not blamed', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 4e6 }]);
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    // Only the first 500 kB arrive: the second path, which has the rest, has failed.
    client.paths.push({ id: 'lte', rateBps: 4e6, blackholed: true });
    client.download(1_000_000, [0.5, 0.5], 6000);
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(3.5e6);
    expect(pathOf(client, 'lte').rateBps).toBe(0);
  });

  test('an active path that the scheduler never uses is left out until it delivers', () => {
    const client = twoPaths();
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    const lte = client.paths[1];
    if (lte) lte.skipped = true;
    for (let i = 0; i < 2; i += 1) client.download(SEGMENT);
    expect(pathOf(client, 'lte').usable).toBe(false);
    expect(forecast(client.state, client.nowMs).rateBps).toBeCloseTo(5e6, -5.5);
    if (lte) lte.skipped = false;
    client.download(SEGMENT);
    expect(pathOf(client, 'lte').usable).toBe(true);
  });
});

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
