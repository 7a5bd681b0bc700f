import { describe, expect, it } from 'vitest';
import { connectPaths } from '../testing/two-paths';

const SECOND = 1e9;
const paths = [
  { rateBps: 4e6, delayMs: 20 },
  { rateBps: 2e6, delayMs: 20 },
  { rateBps: 1e6, delayMs: 20 },
];

describe('joins after the first round trip', () => {
  it('opens one subflow for each further path', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(SECOND);
    expect(connection.pathOf).toEqual([0, 1, 2]);
  });

  // The first subflow is established after 40 ms, the others join after 80.
  it.each([0, 30, 60])('leave out a path that was removed after %i ms', (atMs) => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(atMs * 1e6);
    connection.remove(1);
    simulation.run(SECOND);
    expect(connection.pathOf).toEqual([0, 2]);
    expect(connection.rejoin(1)).toBe(2);
    simulation.run(2 * SECOND);
    expect(connection.client.subflows.map(({ isUsable }) => isUsable)).toEqual([true, true, true]);
  });

  it('joins once over a path that was removed and added again meanwhile', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(50e6);
    connection.remove(1);
    connection.rejoin(1);
    simulation.run(SECOND);
    expect([...connection.pathOf].sort()).toEqual([0, 1, 2]);
  });

  it('does not join on a closed connection', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(60e6);
    connection.close();
    simulation.run(SECOND);
    expect(connection.pathOf).toEqual([0]);
    expect(connection.rejoin(1)).toBeUndefined();
    expect(connection.pathOf).toEqual([0]);
  });
});

describe('removing a path', () => {
  it('sends nothing again if its handshake was not complete', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    connection.server.send(1e9);
    simulation.run(100e6);
    connection.remove(1);
    simulation.run(SECOND);
    expect(connection.server.reinjectedBytes).toBe(0);
  });

  it('also removes its newest subflow, and reinjects its data once', () => {
    const { simulation, connection } = connectPaths(paths.slice(0, 2));
    connection.connect();
    connection.server.send(1e9);
    simulation.run(SECOND);
    connection.remove(0);
    connection.rejoin(0);
    simulation.run(2 * SECOND);
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
    simulation.run(2 * SECOND);
    expect(connection.server.reinjectedBytes).toBe(once);
  });
});
