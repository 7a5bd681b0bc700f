import { describe, expect, it } from 'vitest';
import { connectPaths } from '../testing/two-paths';

const second = 1e9;
const paths = [
  { rateBps: 4e6, delayMs: 20 },
  { rateBps: 2e6, delayMs: 20 },
  { rateBps: 1e6, delayMs: 20 },
];

describe('joins after the first round trip', () => {
  it('are one for each further path', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(second);
    expect(connection.pathOf).toEqual([0, 1, 2]);
  });

  // The first subflow is up after 40 ms, the others join after 80.
  it.each([0, 30, 60])('leave out a path that was removed after %i ms', (atMs) => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(atMs * 1e6);
    connection.remove(1);
    simulation.run(second);
    expect(connection.pathOf).toEqual([0, 2]);
    expect(connection.rejoin(1)).toBe(2);
    simulation.run(2 * second);
    expect(connection.client.subflows.map(({ isUsable }) => isUsable)).toEqual([true, true, true]);
  });

  it('take a path that was removed and taken back meanwhile once', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(50e6);
    connection.remove(1);
    connection.rejoin(1);
    simulation.run(second);
    expect([...connection.pathOf].sort()).toEqual([0, 1, 2]);
  });

  it('do not happen on a connection that was closed', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(60e6);
    connection.close();
    simulation.run(second);
    expect(connection.pathOf).toEqual([0]);
    expect(connection.rejoin(1)).toBeUndefined();
    expect(connection.pathOf).toEqual([0]);
  });
});

describe('removing a path', () => {
  it('takes its newest subflow too, and sends what it owed once', () => {
    const { simulation, connection } = connectPaths(paths.slice(0, 2));
    connection.connect();
    connection.server.send(1e9);
    simulation.run(second);
    connection.remove(0);
    connection.rejoin(0);
    simulation.run(2 * second);
    expect(connection.uses(0)).toBe(true);
    connection.remove(0);
    expect(connection.uses(0)).toBe(false);
    expect(connection.client.subflows.map(({ isUsable }) => isUsable)).toEqual([
      false,
      true,
      false,
    ]);
    const once = connection.server.reinjectedBytes;
    connection.remove(0);
    simulation.run(2 * second);
    expect(connection.server.reinjectedBytes).toBe(once);
  });
});
