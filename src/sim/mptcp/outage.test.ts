import { describe, expect, it } from 'vitest';
import type { Chunk } from '../tcp/segment';
import { connectPaths, type TwoPaths } from '../testing/two-paths';

const second = 1e9;

/** A download of 3 MB with an outage of some paths, long enough for six time-outs. */
function outage(
  specs: Parameters<typeof connectPaths>[0],
  dead: readonly number[],
): TwoPaths & { assigned: Chunk[][]; stale: boolean[] } {
  const paths = connectPaths(specs);
  const { simulation, connection, down, up } = paths;
  const assigned: Chunk[][] = specs.map(() => []);
  connection.server.onAssign = (chunk, index) => assigned[index]?.push(chunk);
  connection.connect();
  connection.server.send(3e6);
  simulation.run(second);
  const links = dead.flatMap((index) => [down[index], up[index]]);
  for (const link of links) link?.setUp(false);
  simulation.run(30 * second);
  const stale = connection.server.subflows.map(({ isStale }) => isStale);
  for (const link of links) link?.setUp(true);
  simulation.run(120 * second);
  return { ...paths, assigned, stale };
}

function doubled(chunks: readonly Chunk[] | undefined): number {
  return (chunks ?? []).length - new Set((chunks ?? []).map(({ dataSeq }) => dataSeq)).size;
}

describe('an outage', () => {
  it('of the only path gives it nothing twice', () => {
    const { connection, assigned, stale } = outage([{ rateBps: 4e6, delayMs: 20 }], [0]);
    expect(connection.client.receivedBytes).toBe(3e6);
    expect(stale).toEqual([false]);
    expect(connection.server.reinjectedBytes).toBe(0);
    expect(doubled(assigned[0])).toBe(0);
  });

  it('of one of two moves what is stuck to the other, once', () => {
    const { connection, assigned, stale } = outage(
      [
        { rateBps: 4e6, delayMs: 20 },
        { rateBps: 1e6, delayMs: 40 },
      ],
      [0],
    );
    expect(connection.client.receivedBytes).toBe(3e6);
    expect(stale).toEqual([true, false]);
    expect(connection.server.reinjectedBytes).toBeGreaterThan(0);
    expect(doubled(assigned[1])).toBe(0);
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

  it('of two paths, one after the other, gives a third what both hold once', () => {
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
    simulation.run(second);
    for (const link of [down[0], up[0]]) link?.setUp(false);
    while (connection.server.reinjectedBytes === 0) simulation.run(simulation.nowNs + 1e6);
    for (const link of [down[1], up[1]]) link?.setUp(false);
    simulation.run(simulation.nowNs + second);
    connection.rejoin(2);
    simulation.run(120 * second);
    expect(connection.client.receivedBytes).toBe(1e6);
    expect(third.length).toBeGreaterThan(0);
    expect(doubled(third)).toBe(0);
  });
});
