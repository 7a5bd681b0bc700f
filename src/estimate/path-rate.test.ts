import { describe, expect, test } from 'vitest';
import {
  endRun,
  expectedBps,
  observeRate,
  unknownRate,
  type PathRate,
  type RateInterval,
} from './path-rate';

const run = {
  startMs: 0,
  bytesEndMs: 46,
  bytes: 435,
  awaitedMs: 0,
  onWayMs: 0,
  peak: undefined,
  moving: true,
  dry: false,
  waiting: undefined,
  silentMs: 0,
  counted: false,
};

test('the head of an answer, a packet, neither bounds a rate nor confirms a bound', () => {
  const bounded = { ...unknownRate, floorBps: 75_000, run };
  expect(endRun(bounded, 46)).toEqual({ ...bounded, run: undefined });
});

describe('chunks that come faster than expected at the pace of an encoder', () => {
  /** The expected rate after chunks that each came at such a rate. */
  const after = (paced: boolean, bounds: readonly number[]): number => {
    const slow = { sum: 700_000, weight: 1 };
    const rate = bounds.reduce<PathRate>(
      (before, bps) => {
        const chunk = { ...run, bytesEndMs: 50, bytes: (bps * 50) / 8000 };
        return endRun({ ...before, run: chunk }, 50, paced ? 5 : 1);
      },
      { ...unknownRate, fast: slow, slow },
    );
    return expectedBps(rate);
  };

  test('raise the rate soon, and never lower it', () => {
    expect(after(true, [1.5e6])).toBeLessThan(1.1e6);
    expect(after(true, [1.5e6, 0.3e6, 1.5e6, 0.3e6, 1.5e6])).toBeGreaterThan(1.1e6);
    expect(after(true, [0.3e6, 0.3e6])).toBe(700_000);
  });

  test('raise it by their own time where nobody sets the pace', () => {
    expect(after(false, [1.5e6, 1.5e6, 1.5e6])).toBeLessThan(1e6);
  });
});

test('a handshake that took a second in an outage is longer than the wait for the first byte', () => {
  const part = {
    ...{ bytes: 0, covered: false, paced: false, blocks: true },
    ...{ awaitedMs: 100, rcvRttMs: undefined, minRttMs: 980 },
  };
  const at = (startMs: number, more: Partial<RateInterval>): RateInterval => {
    const busy = { startMs: Math.max(50, startMs), endMs: Infinity };
    return { ...part, startMs, endMs: startMs + 100, busy, ...more };
  };
  // 30 kB from 50 to 300 ms, after a wait of 150 ms at most.
  const rate = [
    at(0, { awaitedMs: 50 }),
    at(100, { bytes: 15_000 }),
    at(200, { bytes: 15_000 }),
    at(300, { busy: undefined, awaitedMs: 0 }),
  ].reduce(observeRate, unknownRate);
  expect(expectedBps(rate)).toBeCloseTo(2.4e6, -3);
});
