import { describe, expect, it } from 'vitest';
import { connectPaths, type TwoPaths } from '../testing/two-paths';

const SECOND = 1e9;
const paths = [
  { rateBps: 4e6, delayMs: 20 },
  { rateBps: 2e6, delayMs: 20 },
  { rateBps: 1e6, delayMs: 20 },
];

/** A connection whose client sends a request at once. */
function ask(): TwoPaths {
  const all = connectPaths(paths);
  all.connection.connect();
  all.connection.client.send(300);
  return all;
}

describe('joins after the first answer', () => {
  it('opens one subflow for each further path', () => {
    const { simulation, connection } = ask();
    simulation.run(SECOND);
    expect(connection.pathOf).toEqual([0, 1, 2]);
  });

  it('opens none before the server has acknowledged or sent data', () => {
    const { simulation, connection } = connectPaths(paths);
    connection.connect();
    simulation.run(SECOND);
    expect(connection.pathOf).toEqual([0]);
    connection.server.send(300);
    simulation.run(2 * SECOND);
    expect(connection.pathOf).toEqual([0, 1, 2]);
  });

  // The first subflow is established after 40 ms, the others join after 80.
  it.each([0, 30, 60])('leave out a path that was removed after %i ms', (atMs) => {
    const { simulation, connection } = ask();
    simulation.run(atMs * 1e6);
    connection.remove(1);
    simulation.run(SECOND);
    expect(connection.pathOf).toEqual([0, 2]);
    expect(connection.rejoin(1)).toBe(2);
    simulation.run(2 * SECOND);
    expect(connection.client.subflows.map(({ isUsable }) => isUsable)).toEqual([true, true, true]);
  });

  it('joins once over a path that was removed and added again meanwhile', () => {
    const { simulation, connection } = ask();
    simulation.run(50e6);
    connection.remove(1);
    connection.rejoin(1);
    simulation.run(SECOND);
    expect([...connection.pathOf].sort()).toEqual([0, 1, 2]);
  });

  it('does not join on a closed connection', () => {
    const { simulation, connection } = ask();
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

describe('a first handshake that takes long', () => {
  /** Packets stand still on the first path until then, as on a Wi-Fi out of reach. */
  function askOverSilence(untilMs: number, host = { hasBlackhole: false }): TwoPaths {
    const all = connectPaths(paths, { host });
    const [down] = all.down;
    down?.set({ rateBps: 0 });
    all.connection.connect();
    all.connection.client.send(300);
    all.simulation.run(untilMs * 1e6);
    down?.set({ rateBps: 4e6 });
    all.simulation.run(untilMs * 1e6 + SECOND);
    return all;
  }

  // Measured on Linux 6.18: three SYNs with MPTCP, 1.024 s apart, then plain ones.
  it('still makes MPTCP after 3 seconds', () => {
    const { connection } = askOverSilence(3000);
    expect(connection.isPlain).toBe(false);
    expect(connection.pathOf).toEqual([0, 1, 2]);
  });

  it('makes plain TCP for good after 3.1 seconds, and so do later connections of that host', () => {
    const host = { hasBlackhole: false };
    const { connection, simulation } = askOverSilence(3100, host);
    expect(connection.isPlain).toBe(true);
    connection.remove(0);
    expect(connection.rejoin(1)).toBeUndefined();
    connection.server.send(100_000);
    simulation.run(10 * SECOND);
    expect(connection.pathOf).toEqual([0]);
    expect(connection.client.receivedBytes).toBe(100_000);

    const later = connectPaths(paths, { host });
    later.connection.connect();
    later.connection.client.send(300);
    later.simulation.run(SECOND);
    expect(later.connection.pathOf).toEqual([0]);
    expect(later.connection.server.receivedBytes).toBe(300);
  });
});

describe('a wish for a backup', () => {
  it('is lost with the one acknowledgement that carries it', () => {
    const { simulation, connection, up } = ask();
    connection.server.send(1e9);
    simulation.run(5 * SECOND);
    up[1]?.set({ lossRatio: 1 });
    connection.client.setBackup(1, true);
    simulation.run(5 * SECOND + 1e6);
    up[1]?.set({ lossRatio: 0 });
    simulation.run(6 * SECOND);
    expect(connection.server.subflows[1]?.isBackup).toBe(false);
    connection.client.setBackup(1, true);
    simulation.run(7 * SECOND);
    expect(connection.server.subflows[1]?.isBackup).toBe(true);
  });

  it('before the handshake is part of it', () => {
    const { simulation, connection } = ask();
    connection.onJoin = (index) => connection.client.setBackup(index, true);
    simulation.run(SECOND);
    expect(connection.server.subflows.map(({ isBackup }) => isBackup)).toEqual([false, true, true]);
  });
});
