import { describe, expect, it } from 'vitest';
import { WindowEstimate } from './window-estimate';

interface Path {
  /** Rate of the link, in bit/s. */
  rateBps: number;
  /** Round trip without a queue of our own. */
  rttMs: number;
}

const STEP_MS = 20;

/** A connection that is always busy: its window limits it, or the link does, and then bytes wait in a queue. */
function run(
  window: WindowEstimate,
  fromMs: number,
  toMs: number,
  { rateBps, rttMs }: Path,
): number {
  let goodputBps = 0;
  for (let nowMs = fromMs; nowMs < toMs; nowMs += STEP_MS) {
    const wantedBps = (window.bytes * 8000) / rttMs;
    goodputBps = Math.min(rateBps, wantedBps);
    const queueMs = Math.max(0, (window.bytes * 8000) / rateBps - rttMs);
    if (nowMs % 200 === 0) window.roundTrip(rttMs + queueMs, nowMs);
    window.expect(goodputBps);
    window.received((goodputBps * STEP_MS) / 8000, nowMs);
  }
  return goodputBps;
}

describe('the receive window', () => {
  it.each([30, 60, 90, 220, 400])(
    'does not limit a network whose handshake took 30 ms and whose round trips take %i ms',
    (rttMs) => {
      const window = new WindowEstimate();
      window.roundTrip(30, 0);
      expect(run(window, 0, 30_000, { rateBps: 20e6, rttMs })).toBeGreaterThan(0.95 * 20e6);
    },
  );

  it('fills a very long path in the time of slow start', () => {
    const window = new WindowEstimate();
    window.roundTrip(600, 0);
    let flightBytes = 0;
    for (let nowMs = 0; nowMs < 7800; nowMs += STEP_MS) {
      // A window arrives in each round trip.
      if (nowMs % 600 === 0) flightBytes = Math.min(window.bytes, (20e6 / 8000) * 600);
      window.received((flightBytes * STEP_MS) / 600, nowMs);
    }
    expect(flightBytes).toBe((20e6 / 8000) * 600);
  });

  it('stays near the bandwidth-delay product while its own queue makes round trips longer', () => {
    const window = new WindowEstimate();
    window.roundTrip(40, 0);
    run(window, 0, 60_000, { rateBps: 5e6, rttMs: 40 });
    const productBytes = (5e6 / 8000) * 40;
    expect(window.bytes).toBeLessThan(2 * productBytes + 8000);
  });

  it('follows a path that becomes shorter, once a pause has emptied its queue', () => {
    const window = new WindowEstimate();
    window.roundTrip(100, 0);
    run(window, 0, 10_000, { rateBps: 10e6, rttMs: 100 });
    window.roundTrip(20, 10_000);
    run(window, 10_000, 20_000, { rateBps: 10e6, rttMs: 20 });
    expect(window.bytes).toBeLessThan(0.6 * (10e6 / 8000) * 100);
  });

  it('grows also where each window arrives in one clump', () => {
    const window = new WindowEstimate();
    window.roundTrip(30, 0);
    for (let nowMs = 400; nowMs < 60_000; nowMs += 400) {
      window.roundTrip(400, nowMs);
      const bytes = Math.min(window.bytes, (20e6 / 8000) * 400);
      for (let piece = 0; piece < 4; piece += 1) window.received(bytes / 4, nowMs + piece);
    }
    expect(window.bytes).toBeGreaterThan(0.9 * (20e6 / 8000) * 400);
  });

  it('follows a path that becomes longer after minutes of a steady one', () => {
    const window = new WindowEstimate();
    window.roundTrip(40, 0);
    run(window, 0, 180_000, { rateBps: 20e6, rttMs: 40 });
    const after = run(window, 180_000, 200_000, { rateBps: 20e6, rttMs: 120 });
    expect(after).toBeGreaterThan(0.95 * 20e6);
  });

  it('does not stay wide for a server that takes its time', () => {
    const window = new WindowEstimate();
    window.roundTrip(40, 0);
    for (let nowMs = 0; nowMs < 60_000; nowMs += STEP_MS) {
      if (nowMs % 200 === 0) window.roundTrip(1500, nowMs);
      window.expect(5e6);
      window.received((5e6 * STEP_MS) / 8000, nowMs);
      expect(window.bytes).toBeLessThan(2 * (1.25 * (5e6 / 8000) * 40 + 8000) + 1);
    }
  });

  it('counts no pause of a server or of the player as a slow network', () => {
    const window = new WindowEstimate();
    window.roundTrip(20, 0);
    run(window, 0, 2000, { rateBps: 10e6, rttMs: 20 });
    window.expect(0);
    window.received(16_000, 9000);
    for (let nowMs = 9000; nowMs < 9400; nowMs += STEP_MS) window.received(25_000, nowMs + STEP_MS);
    expect(window.rateBps).toBeGreaterThan(9e6);
  });
});
