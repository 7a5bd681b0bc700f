import { describe, expect, it } from 'vitest';
import { connectPaths, fetchObjects } from '../testing/two-paths';
import { Blest } from './blest';
import { Ecf } from './ecf';
import { GrSty } from './gr-sty';
import { Mainline } from './mainline';
import { MinRtt } from './min-rtt';
import { RoundRobin } from './round-robin';
import type { ConnectionState, Scheduler, SubflowState } from './scheduler';
import { schedulers, type SchedulerName } from './schedulers';
import { TpSty } from './tp-sty';
import { TrSty } from './tr-sty';

const ms = 1e6;
const names = Object.keys(schedulers) as SchedulerName[];

function subflow(index: number, changes: Partial<SubflowState> = {}): SubflowState {
  return {
    index,
    isUsable: true,
    isBackup: false,
    isStale: false,
    srttNs: 20 * ms,
    minRttNs: 20 * ms,
    rttVarianceNs: ms,
    cwnd: 20,
    ssthresh: Infinity,
    inFlight: 0,
    room: 20,
    queuedBytes: 0,
    pendingBytes: 0,
    pacingBps: 10e6,
    segmentBytes: 1420,
    inRecovery: false,
    ...changes,
  };
}

/** As a connection asks, whatever the scheduler needs of it. */
function pick(
  scheduler: Scheduler,
  subflows: readonly SubflowState[],
  state: ConnectionState,
): SubflowState | undefined {
  return scheduler.pick(subflows, state);
}

const connection: ConnectionState = {
  nowNs: 0,
  unsentBytes: 1e6,
  windowBytes: 1e6,
  outstandingBytes: 0,
  bufferBytes: 1e6,
};

describe.each(names)('%s', (name) => {
  const create = schedulers[name];

  it('uses a backup only when nothing else is alive', () => {
    const backup = subflow(0, { isBackup: true, srttNs: ms });
    expect(pick(create(), [backup, subflow(1)], connection)?.index).toBe(1);
    expect(pick(create(), [backup], connection)?.index).toBe(0);
    expect(pick(create(), [backup, subflow(1, { isStale: true })], connection)?.index).toBe(0);
  });

  it('waits while every window is full', () => {
    const full = { room: 0, inFlight: 20, pendingBytes: 40 * 1420 };
    const one = subflow(0, full);
    const other = subflow(1, { ...full, srttNs: 50 * ms });
    expect(pick(create(), [one, other], connection)).toBeUndefined();
  });

  it('carries a download over two unlike paths to its end', () => {
    const paths = connectPaths(
      [
        { rateBps: 4e6, delayMs: 20 },
        { rateBps: 1e6, delayMs: 60, lossRatio: 0.005 },
      ],
      { createScheduler: create },
    );
    const { doneNs } = fetchObjects(paths, 500_000, 20e9);
    expect(doneNs.length).toBeGreaterThan(8);
  });
});

describe('Mainline', () => {
  it('fills the queue that would be sent soonest, a burst at a time', () => {
    const scheduler = new Mainline();
    const near = subflow(0, { pendingBytes: 20_000, pacingBps: 10e6 });
    const far = subflow(1, { pendingBytes: 10_000, pacingBps: 2e6 });
    // 16 ms against 40 ms.
    expect(pick(scheduler, [near, far], connection)?.index).toBe(0);
    // The burst goes on although the other would be sooner by now.
    expect(pick(scheduler, [subflow(0, { pendingBytes: 56_000 }), far], connection)?.index).toBe(0);
  });

  it('hands out more than a window, up to two', () => {
    const scheduler = new Mainline();
    const busy = subflow(0, { room: 0, inFlight: 20, pendingBytes: 30 * 1420 });
    expect(pick(scheduler, [busy], connection)?.index).toBe(0);
    expect(pick(scheduler, [subflow(0, { pendingBytes: 40 * 1420 })], connection)).toBeUndefined();
  });
});

describe('MinRtt and RoundRobin', () => {
  it('take the shortest with room; take turns', () => {
    const near = subflow(0);
    const far = subflow(1, { srttNs: 90 * ms });
    expect(pick(new MinRtt(), [far, near], connection)?.index).toBe(0);
    expect(pick(new MinRtt(), [subflow(0, { room: 0 }), far], connection)?.index).toBe(1);
    const turns = new RoundRobin();
    const picked = [1, 2, 3, 4].map(() => pick(turns, [near, far], connection)?.index);
    expect(picked).toEqual([0, 1, 0, 1]);
  });
});

describe('Blest', () => {
  const fast = subflow(0, { room: 0, cwnd: 50, srttNs: 10 * ms });
  const slow = subflow(1, { srttNs: 200 * ms, cwnd: 10 });

  it('leaves the slow subflow out while the fast one could fill the buffer meanwhile', () => {
    // In 200 ms the fast one sends (50 + 9.5) x 20 segments, 1.7 MB.
    expect(pick(new Blest(), [fast, slow], { ...connection, bufferBytes: 1e6 })).toBeUndefined();
    expect(pick(new Blest(), [fast, slow], { ...connection, bufferBytes: 6e6 })?.index).toBe(1);
  });
});

describe('Ecf', () => {
  const fast = subflow(0, { room: 0, cwnd: 50, srttNs: 10 * ms });
  const slow = subflow(1, { srttNs: 300 * ms, cwnd: 10 });

  it('waits for the fast subflow at the end of a segment, not in its middle', () => {
    const end = { ...connection, unsentBytes: 20 * 1420 };
    expect(pick(new Ecf(), [fast, slow], end)).toBeUndefined();
    const middle = { ...connection, unsentBytes: 5e6 };
    expect(pick(new Ecf(), [fast, slow], middle)?.index).toBe(1);
  });
});

describe('sticky schedulers', () => {
  const full = (index: number, changes: Partial<SubflowState> = {}): SubflowState =>
    subflow(index, { room: 0, ...changes });

  it('GR-STY stays on the path it had to go to', () => {
    const scheduler = new GrSty();
    expect(pick(scheduler, [subflow(0), subflow(1, { srttNs: 90 * ms })], connection)?.index).toBe(
      0,
    );
    expect(pick(scheduler, [full(0), subflow(1, { srttNs: 90 * ms })], connection)?.index).toBe(1);
    expect(pick(scheduler, [subflow(0), subflow(1, { srttNs: 90 * ms })], connection)?.index).toBe(
      1,
    );
    expect(scheduler.switches).toBe(1);
  });

  it('TP-STY stays only where it is injected faster', () => {
    const slower = subflow(1, { srttNs: 90 * ms });
    const faster = subflow(1, { srttNs: 90 * ms, cwnd: 200 });
    const scheduler = new TpSty();
    pick(scheduler, [subflow(0), slower], connection);
    expect(pick(scheduler, [full(0), slower], connection)?.index).toBe(1);
    expect(pick(scheduler, [subflow(0), slower], connection)?.index).toBe(0);
    pick(scheduler, [full(0), faster], connection);
    expect(pick(scheduler, [subflow(0), faster], connection)?.index).toBe(1);
  });

  it('TR-STY stays only where the round trip is longer, too', () => {
    const nearer = subflow(1, { srttNs: 10 * ms, cwnd: 200 });
    const scheduler = new TrSty();
    pick(scheduler, [subflow(0), full(1)], connection);
    pick(scheduler, [full(0), nearer], connection);
    expect(scheduler.switches).toBe(0);
    pick(scheduler, [full(0), subflow(1, { srttNs: 60 * ms, cwnd: 200 })], connection);
    expect(scheduler.switches).toBe(1);
  });
});
