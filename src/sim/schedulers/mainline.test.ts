import { describe, expect, it } from 'vitest';
import { pickFrom, subflow } from '../testing/subflow-states';
import { Mainline } from './mainline';

describe('Mainline', () => {
  it('fills the queue that would be sent soonest, a burst at a time', () => {
    const scheduler = new Mainline();
    const near = subflow(0, { pendingBytes: 20_000, pacingBps: 10e6 });
    const far = subflow(1, { pendingBytes: 10_000, pacingBps: 2e6 });
    // 16 ms against 40 ms.
    expect(pickFrom(scheduler, [near, far])).toBe(0);
    // The burst goes on although the other would be sooner by now.
    expect(pickFrom(scheduler, [subflow(0, { pendingBytes: 56_000 }), far])).toBe(0);
  });

  it('chooses anew after a burst', () => {
    const scheduler = new Mainline();
    const near = subflow(0, { pacingBps: 10e6 });
    const far = subflow(1, { pendingBytes: 1420, pacingBps: 10e6 });
    const bursts = Array.from({ length: 46 }, () => pickFrom(scheduler, [near, far]));
    expect(new Set(bursts)).toEqual(new Set([0]));
    // 65428 bytes are 46 segments and a bit; by now the first has them all waiting.
    const filled = subflow(0, { pendingBytes: 50_000, pacingBps: 10e6 });
    pickFrom(scheduler, [filled, far]);
    expect(pickFrom(scheduler, [filled, far])).toBe(1);
  });

  it('hands out more than a window, as much as the send buffer holds', () => {
    const scheduler = new Mainline();
    const busy = subflow(0, { room: 0, inFlight: 20, pendingBytes: 30 * 1420 });
    expect(pickFrom(scheduler, [busy])).toBe(0);
    expect(pickFrom(scheduler, [subflow(0, { pendingBytes: 40 * 1420 })])).toBeUndefined();
  });

  it('waits for the one chosen rather than taking another with room', () => {
    const chosen = subflow(0, { pendingBytes: 40 * 1420, pacingBps: 100e6 });
    const slow = subflow(1, { pendingBytes: 1420, pacingBps: 0.1e6 });
    expect(pickFrom(new Mainline(), [chosen, slow])).toBeUndefined();
  });
});
