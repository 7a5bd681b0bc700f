import { describe, expect, it } from 'vitest';
import type { Chunk } from '../tcp/segment';
import { connectPaths, type TwoPaths } from '../testing/two-paths';

const SECOND = 1e9;

/** A download of 3 MB with an outage of some paths that lasts six time-outs. */
function outage(
  specs: Parameters<typeof connectPaths>[0],
  blackholed: readonly number[],
): TwoPaths & { assigned: Chunk[][]; stale: boolean[]; resumedNs: number } {
  const paths = connectPaths(specs);
  const { simulation, connection, down, up } = paths;
  const assigned: Chunk[][] = specs.map(() => []);
  connection.server.onAssign = (chunk, index) => assigned[index]?.push(chunk);
  connection.connect();
  connection.server.send(3e6);
  simulation.run(SECOND);
  const links = blackholed.flatMap((index) => [down[index], up[index]]);
  for (const link of links) link?.setUp(false);
  simulation.run(1.2 * SECOND);
  const blocked = connection.client.receivedBytes;
  let resumedNs = Infinity;
  connection.client.onReceive = () => {
    if (connection.client.receivedBytes > blocked) {
      resumedNs = Math.min(resumedNs, simulation.nowNs);
    }
  };
  simulation.run(30 * SECOND);
  const stale = connection.server.subflows.map(({ isStale }) => isStale);
  for (const link of links) link?.setUp(true);
  simulation.run(120 * SECOND);
  return { ...paths, assigned, stale, resumedNs };
}

function doubled(chunks: readonly Chunk[] | undefined): number {
  return (chunks ?? []).length - new Set((chunks ?? []).map(({ dataSeq }) => dataSeq)).size;
}

describe('an outage', () => {
  it('of the only path reinjects nothing', () => {
    const { connection, assigned, stale } = outage([{ rateBps: 4e6, delayMs: 20 }], [0]);
    expect(connection.client.receivedBytes).toBe(3e6);
    expect(stale).toEqual([false]);
    expect(connection.server.reinjectedBytes).toBe(0);
    expect(doubled(assigned[0])).toBe(0);
  });

  it('of one of two paths moves everything unacknowledged to the other within 3 s', () => {
    const { connection, assigned, stale, resumedNs } = outage(
      [
        { rateBps: 4e6, delayMs: 20 },
        { rateBps: 1e6, delayMs: 40 },
      ],
      [0],
    );
    expect(connection.client.receivedBytes).toBe(3e6);
    expect(stale).toEqual([true, false]);
    expect(connection.server.reinjectedBytes).toBeGreaterThan(0);
    expect(resumedNs).toBeLessThan(4 * SECOND);
    // Linux sends again what the other path has already delivered out of order.
    expect(doubled(assigned[1])).toBeGreaterThan(0);
  });

  it('of all paths marks none of them stale', () => {
    const { connection, stale } = outage(
      [
        { rateBps: 2e6, delayMs: 20 },
        { rateBps: 2e6, delayMs: 20 },
      ],
      [0, 1],
    );
    expect(connection.client.receivedBytes).toBe(3e6);
    expect(stale).toEqual([false, false]);
  });

  it('of two paths in turn gives a third path the data of both', () => {
    const path = { rateBps: 2e6, delayMs: 20 };
    const { simulation, connection, down, up } = connectPaths([path, path, path], {
      order: [0, 1],
    });
    const third: Chunk[] = [];
    connection.onJoin = (index, pathIndex) => {
      if (pathIndex !== 2) return;
      connection.server.onAssign = (chunk, to) => to === index && third.push(chunk);
    };
    connection.connect();
    connection.server.send(1e6);
    simulation.run(SECOND);
    for (const link of [down[0], up[0]]) link?.setUp(false);
    while (connection.server.reinjectedBytes === 0) simulation.run(simulation.nowNs + 1e6);
    for (const link of [down[1], up[1]]) link?.setUp(false);
    simulation.run(simulation.nowNs + SECOND);
    connection.rejoin(2);
    simulation.run(120 * SECOND);
    expect(connection.client.receivedBytes).toBe(1e6);
    expect(third.length).toBeGreaterThan(0);
  });
});
