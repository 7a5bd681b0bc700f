import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Mainline } from '../schedulers/mainline';
import { MinRtt } from '../schedulers/min-rtt';
import { RoundRobin } from '../schedulers/round-robin';
import { connectPaths, fetchObjects } from '../testing/two-paths';

const SECOND = 1e9;
const schedulers = [() => new Mainline(), () => new MinRtt(), () => new RoundRobin()];
const fast = { rateBps: 5_000_000, delayMs: 10 };
const slow = { rateBps: 600_000, delayMs: 150, lossRatio: 0.01 };

describe('MptcpConnection', () => {
  it('delivers every byte once and in order, under any paths and scheduler', () => {
    const path = fc.record({
      rateBps: fc.integer({ min: 300_000, max: 20_000_000 }),
      delayMs: fc.integer({ min: 1, max: 200 }),
      lossRatio: fc.double({ min: 0, max: 0.05, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(path, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...schedulers),
        fc.nat(1000),
        (paths, createScheduler, seed) => {
          const { simulation, connection } = connectPaths(paths, { createScheduler, seed });
          connection.connect();
          connection.server.send(400_000);
          simulation.run(300 * SECOND);
          expect(connection.client.receivedBytes).toBe(400_000);
          expect(connection.client.reassembly.outOfOrderBytes).toBe(0);
          expect(connection.server.ackedBytes).toBe(400_000);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('adds the rates of similar paths', () => {
    const lone = fetchObjects(
      connectPaths([{ rateBps: 4e6, delayMs: 20 }]),
      1_100_000,
      60 * SECOND,
    );
    const both = fetchObjects(
      connectPaths([
        { rateBps: 4e6, delayMs: 20 },
        { rateBps: 3e6, delayMs: 40 },
      ]),
      1_100_000,
      60 * SECOND,
    );
    expect(lone.goodputBps).toBeGreaterThan(3.6e6);
    expect(both.goodputBps / lone.goodputBps).toBeGreaterThan(1.45);
    expect(both.goodputBps / lone.goodputBps).toBeLessThan(1.8);
  });

  it('loses to the best single path when paths differ much, as kernels do', () => {
    const lone = fetchObjects(connectPaths([fast]), 300_000, 120 * SECOND);
    const ratios = [1, 2, 3].map(
      (seed) =>
        fetchObjects(connectPaths([fast, slow], { seed }), 300_000, 120 * SECOND).goodputBps /
        lone.goodputBps,
    );
    for (const ratio of ratios) expect(ratio).toBeLessThan(0.95);
  });

  it('keeps a path unused while the client wants it as a backup, and uses it again afterwards', () => {
    const paths = connectPaths([fast, slow]);
    const lone = fetchObjects(connectPaths([fast]), 300_000, 60 * SECOND);
    paths.simulation.run(0);
    const { connection } = paths;
    const before = (): number => paths.down[1]?.stats().inBytes ?? 0;
    fetchObjects(paths, 300_000, 20 * SECOND);
    connection.client.setBackup(1, true);
    paths.simulation.run(25 * SECOND);
    const used = before();
    const receivedAt = connection.client.receivedBytes;
    paths.simulation.run(60 * SECOND);
    // Acknowledgements only.
    expect(before() - used).toBeLessThan(10_000);
    const goodputBps = ((connection.client.receivedBytes - receivedAt) * 8) / 35;
    expect(goodputBps / lone.goodputBps).toBeGreaterThan(0.97);
  });

  it('fills two equal paths, although the client sends nothing but acknowledgements', () => {
    const { simulation, connection } = connectPaths([
      { rateBps: 8e6, delayMs: 20 },
      { rateBps: 8e6, delayMs: 20 },
    ]);
    connection.connect();
    connection.server.send(1e9);
    simulation.run(10 * SECOND);
    const before = connection.client.receivedBytes;
    simulation.run(20 * SECOND);
    // The kernel fills both (`scripts/truth/halving.ts`).
    expect(((connection.client.receivedBytes - before) * 8) / 10).toBeGreaterThan(14.5e6);
    for (const { endpoint } of connection.client.subflows) {
      expect(endpoint.receiveRttNs).toBeLessThan(0.2 * SECOND);
    }
  });

  it('continues over the other path, behind its queue, when one is removed', () => {
    const paths = connectPaths([
      { rateBps: 4e6, delayMs: 20 },
      { rateBps: 2e6, delayMs: 40 },
    ]);
    paths.connection.connect();
    paths.connection.server.send(1e9);
    paths.simulation.run(10 * SECOND);
    const before = paths.connection.client.receivedBytes;
    paths.down[0]?.setUp(false);
    paths.up[0]?.setUp(false);
    paths.connection.remove(0);
    paths.simulation.run(11.5 * SECOND);
    expect(paths.connection.client.receivedBytes).toBeGreaterThan(before);
    paths.simulation.run(20 * SECOND);
    const goodputBps = ((paths.connection.client.receivedBytes - before) * 8) / 10;
    expect(goodputBps).toBeGreaterThan(1.7e6);
    expect(paths.connection.server.reinjectedBytes).toBeGreaterThan(0);
  });

  it('survives a blackholed path, and uses it again when it returns', () => {
    const paths = connectPaths([
      { rateBps: 4e6, delayMs: 20 },
      { rateBps: 2e6, delayMs: 40 },
    ]);
    const { simulation, connection, down, up } = paths;
    connection.connect();
    connection.server.send(1e9);
    simulation.run(10 * SECOND);
    for (const link of [down[0], up[0]]) link?.setUp(false);
    simulation.run(20 * SECOND);
    const before = connection.client.receivedBytes;
    simulation.run(30 * SECOND);
    expect(((connection.client.receivedBytes - before) * 8) / 10).toBeGreaterThan(1.5e6);
    for (const link of [down[0], up[0]]) link?.setUp(true);
    simulation.run(60 * SECOND);
    const later = connection.client.receivedBytes;
    simulation.run(70 * SECOND);
    expect(((connection.client.receivedBytes - later) * 8) / 10).toBeGreaterThan(4.5e6);
  });

  it('never holds more than the receive buffer', () => {
    const bufferBytes = 100_000;
    const { simulation, connection } = connectPaths([fast, slow], {
      receiveBufferBytes: bufferBytes,
    });
    connection.connect();
    connection.server.send(1e9);
    let most = 0;
    for (let ms = 0; ms < 20_000; ms += 5) {
      simulation.run(ms * 1e6);
      most = Math.max(most, connection.client.reassembly.outOfOrderBytes);
    }
    expect(most).toBeGreaterThan(10_000);
    expect(most).toBeLessThanOrEqual(bufferBytes);
  });

  it('stops the sender while nobody reads, and continues afterwards', () => {
    const bufferBytes = 100_000;
    const { simulation, connection } = connectPaths([fast, slow], {
      receiveBufferBytes: bufferBytes,
    });
    const { client, server } = connection;
    client.onReceive = (bytes) => client.leaveUnread(bytes);
    connection.connect();
    server.send(1e9);
    simulation.run(20 * SECOND);
    expect(client.receivedBytes).toBe(bufferBytes);
    // The window was shut, so any space triggers an update.
    client.read(30_000);
    simulation.run(40 * SECOND);
    expect(client.receivedBytes).toBe(130_000);
    client.onReceive = undefined;
    client.read(bufferBytes);
    simulation.run(60 * SECOND);
    expect(client.receivedBytes).toBeGreaterThan(5e6);
  });

  it('sends whole segments through a window that opens in small steps', () => {
    const { simulation, connection, down } = connectPaths([{ rateBps: 5e6, delayMs: 10 }], {
      receiveBufferBytes: 50_000,
    });
    const { client, server } = connection;
    client.onReceive = (bytes) => client.leaveUnread(bytes);
    connection.connect();
    server.send(1e9);
    simulation.run(SECOND);
    const before = down[0]?.stats().inPackets ?? 0;
    for (let read = 1; read <= 1000; read += 1) {
      client.read(200);
      simulation.run(SECOND + read * 5e6);
    }
    expect(client.receivedBytes).toBeGreaterThan(50_000 + 190_000);
    // 200 kB are 141 segments of 1420 bytes; with the odd remainders far fewer than a thousand.
    expect((down[0]?.stats().inPackets ?? 0) - before).toBeLessThan(300);
  });
});
