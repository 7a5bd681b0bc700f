import { describe, expect, it } from 'vitest';
import { connectPaths } from '../testing/two-paths';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { Daps } from './daps';
import { MinRtt } from './min-rtt';
import type { Scheduler, SenderSubflow } from './scheduler';

/** Forward delays of 10 and 40 MS, windows of 5 and 3. */
const fast = subflow(0, { srttNs: 20 * MS, cwnd: 5, room: 5 });
const slow = subflow(1, { srttNs: 80 * MS, cwnd: 3, room: 3 });

function pickMany(
  scheduler: Scheduler,
  subflows: readonly SenderSubflow[],
  count: number,
): (number | undefined)[] {
  return Array.from({ length: count }, (_, sent) =>
    pickFrom(scheduler, subflows, { outstandingBytes: sent * 1420 }),
  );
}

describe('Daps', () => {
  it('reserves for the slow subflow the data that is due when it arrives', () => {
    // The fast one delivers a window at 10, 20, 30 and 40 MS, the slow one its window at 40 MS: 20 segments
    // come first.
    const picked = pickMany(new Daps(), [slow, fast], 23);
    expect(picked).toEqual([...Array<number>(20).fill(0), 1, 1, 1]);
  });

  it('counts data in flight before the data it assigns', () => {
    // Two windows of the fast one are queued or in flight: those are the arrivals at 10 and 20 MS.
    const busy = subflow(0, { srttNs: 20 * MS, cwnd: 5, room: -5, inFlight: 5 });
    expect(pickMany(new Daps(), [busy, slow], 13)).toEqual([...Array<number>(10).fill(0), 1, 1, 1]);
  });

  it('keeps its schedule while windows and delays change, then uses the new values', () => {
    const scheduler = new Daps();
    pickMany(scheduler, [fast, slow], 18);
    // Now the paths have swapped their values.
    const swapped = [
      subflow(0, { srttNs: 80 * MS, cwnd: 3, room: 3 }),
      subflow(1, { srttNs: 20 * MS, cwnd: 5, room: 5 }),
    ];
    const rest = Array.from({ length: 8 }, () =>
      pickFrom(scheduler, swapped, { outstandingBytes: 1420 }),
    );
    expect(rest).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  });

  it('discards its schedule in a pause, and the entries of a subflow that closed', () => {
    const scheduler = new Daps();
    pickMany(scheduler, [fast, slow], 21);
    expect(pickFrom(scheduler, [fast, slow], { outstandingBytes: 0 })).toBe(0);
    expect(pickFrom(scheduler, [slow], { outstandingBytes: 1420 })).toBe(1);
  });

  it('assigns no more than a path with space needs', () => {
    const later = full(1, { srttNs: 80 * MS, cwnd: 3 });
    const picked = pickMany(new Daps(), [full(0, { cwnd: 5 }), later], 1);
    expect(picked).toEqual([undefined]);
  });

  it('leaves fewer out-of-order bytes at the receiver than the shortest round trip does', () => {
    const held = (createScheduler: () => Scheduler): number => {
      const { simulation, connection } = connectPaths(
        [
          { rateBps: 4e6, delayMs: 10 },
          { rateBps: 2e6, delayMs: 100 },
        ],
        { createScheduler, receiveBufferBytes: 400_000 },
      );
      connection.connect();
      connection.server.send(1e9);
      let sum = 0;
      for (let at = 0; at < 8000; at += 20) {
        simulation.run(at * MS);
        sum += connection.client.reassembly.outOfOrderBytes;
      }
      expect(connection.client.receivedBytes).toBeGreaterThan(3e6);
      return sum;
    };
    expect(held(() => new Daps())).toBeLessThan(held(() => new MinRtt()));
  });
});
