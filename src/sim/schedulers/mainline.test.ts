import { describe, expect, it } from 'vitest';
import { pickFrom, subflow } from '../testing/subflow-states';
import { Mainline } from './mainline';

describe('Mainline', () => {
  it('fills the queue that drains soonest, a burst at a time', () => {
    const scheduler = new Mainline();
    const near = subflow(0, { pendingBytes: 20_000, pacingBps: 10e6 });
    const far = subflow(1, { pendingBytes: 10_000, pacingBps: 2e6 });
    // 16 ms against 40 ms.
    expect(pickFrom(scheduler, [near, far])).toBe(0);
    // The burst continues although the other queue now drains sooner.
    expect(pickFrom(scheduler, [subflow(0, { pendingBytes: 56_000 }), far])).toBe(0);
  });

  it('chooses again after a burst', () => {
    const scheduler = new Mainline();
    const near = subflow(0, { pacingBps: 10e6 });
    const far = subflow(1, { pendingBytes: 1420, pacingBps: 10e6 });
    const bursts = Array.from({ length: 46 }, () => pickFrom(scheduler, [near, far]));
    expect(new Set(bursts)).toEqual(new Set([0]));
    // 65428 bytes are 46 segments and a bit; by now they all wait on the first one.
    const filled = subflow(0, { pendingBytes: 50_000, pacingBps: 10e6 });
    pickFrom(scheduler, [filled, far]);
    expect(pickFrom(scheduler, [filled, far])).toBe(1);
  });

  it('assigns more than a window, up to the send buffer', () => {
    const scheduler = new Mainline();
    const busy = subflow(0, { room: 0, inFlight: 20, pendingBytes: 30 * 1420 });
    expect(pickFrom(scheduler, [busy])).toBe(0);
    expect(pickFrom(scheduler, [subflow(0, { pendingBytes: 40 * 1420 })])).toBeUndefined();
  });

  it('waits for the chosen subflow even if another has space', () => {
    const chosen = subflow(0, { pendingBytes: 40 * 1420, pacingBps: 100e6 });
    const slow = subflow(1, { pendingBytes: 1420, pacingBps: 0.1e6 });
    expect(pickFrom(new Mainline(), [chosen, slow])).toBeUndefined();
  });
});
