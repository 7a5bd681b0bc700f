import { describe, expect, it } from 'vitest';
import { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { LinkDirection } from '../link/link-direction';
import { MptcpConnection } from '../mptcp/connection';
import { MinRtt } from '../schedulers/min-rtt';
import { createTcpStream } from '../tcp/stream';
import { congestionControls, type CongestionName } from './controls';

const second = 1e9;
const queue = { discipline: 'droptail' as const };
const names = Object.keys(congestionControls) as CongestionName[];

/** Share of a link's capacity that one connection of `subflows` subflows gets beside one of Reno. */
function shareBesideReno(name: CongestionName, subflows: number): number {
  const simulation = new Simulation(5);
  const down = new LinkDirection(simulation, 'down', {
    rateBps: 8e6,
    delayMs: 20,
    queueBytes: 80_000,
    queue,
  });
  const up = new LinkDirection(simulation, 'up', { rateBps: 100e6, delayMs: 20, queue });
  const path = { there: [up], back: [down] };
  const multi = new MptcpConnection(simulation, {
    paths: Array.from({ length: subflows }, () => path),
    flow: 1,
    createScheduler: () => new MinRtt(),
    createCongestion: congestionControls[name],
  });
  const reno = createTcpStream(simulation, {
    ...path,
    flow: 9,
    createCongestion: () => congestionControls.reno(),
  });
  multi.connect();
  new Timer(simulation, reno.connect).setAt(1.3 * second);
  multi.server.send(1e12);
  reno.server.send(1e12);
  simulation.run(20 * second);
  const before = [multi.client.receivedBytes, reno.client.receivedBytes] as const;
  simulation.run(90 * second);
  const mine = multi.client.receivedBytes - before[0];
  return mine / (mine + reno.client.receivedBytes - before[1]);
}

describe('congestion controls', () => {
  it.each(names)('%s alone fills a link', { timeout: 60_000 }, (name) => {
    const simulation = new Simulation(2);
    const spec = { rateBps: 10e6, delayMs: 25, queueBytes: 60_000, queue };
    const down = new LinkDirection(simulation, 'down', spec);
    const up = new LinkDirection(simulation, 'up', { ...spec, rateBps: 100e6 });
    const connection = new MptcpConnection(simulation, {
      paths: [{ there: [up], back: [down] }],
      flow: 1,
      createScheduler: () => new MinRtt(),
      createCongestion: congestionControls[name],
    });
    connection.connect();
    connection.server.send(1e12);
    simulation.run(15 * second);
    const before = connection.client.receivedBytes;
    simulation.run(45 * second);
    const goodputBps = ((connection.client.receivedBytes - before) * 8) / 30;
    expect(goodputBps).toBeGreaterThan(0.88 * 10e6 * (1420 / 1500));
  });

  it(
    'two uncoupled subflows take two shares of a link, coupled ones about one (RFC 6356, goal 2)',
    { timeout: 60_000 },
    () => {
      expect(shareBesideReno('reno', 2)).toBeGreaterThan(0.58);
      for (const name of ['lia', 'balia', 'olia'] as const) {
        const share = shareBesideReno(name, 2);
        expect(share, name).toBeGreaterThan(0.28);
        expect(share, name).toBeLessThan(0.58);
      }
    },
  );

  it.each(['vegas', 'wvegas', 'bbr'] as const)('%s keeps a deep queue short', (name) => {
    const simulation = new Simulation(2);
    const waits: number[] = [];
    const spec = { rateBps: 10e6, delayMs: 25, queueBytes: 1_000_000, queue };
    const down = new LinkDirection(simulation, 'down', spec);
    down.onWait = (waitNs, nowNs) => {
      if (nowNs > 15 * second) waits.push(waitNs / 1e6);
    };
    const up = new LinkDirection(simulation, 'up', { ...spec, rateBps: 100e6 });
    const connection = new MptcpConnection(simulation, {
      paths: [{ there: [up], back: [down] }],
      flow: 1,
      createScheduler: () => new MinRtt(),
      createCongestion: congestionControls[name],
    });
    connection.connect();
    connection.server.send(1e12);
    simulation.run(45 * second);
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    // A loss-based control would fill 800 ms.
    expect(mean).toBeLessThan(60);
  });
});
