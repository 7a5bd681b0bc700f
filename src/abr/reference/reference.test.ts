import { describe, expect, it } from 'vitest';
import { six } from '../testing/builders';
import type { ReferenceObservation } from './observation';
import { robustMpc } from './robust-mpc';
import { referenceRules } from './rules';
import { soda } from './soda';
import { throughput2016 } from './throughput-2016';

const SEGMENT_MS = 2000;
const observation = (change: Partial<ReferenceObservation>): ReferenceObservation => ({
  ladder: six,
  currentRung: 2,
  bufferMs: 12_000,
  bufferTargetMs: 18_000,
  segmentMs: SEGMENT_MS,
  throughputBps: [4e6, 4e6, 4e6, 4e6, 4e6],
  nextBytes: Array.from({ length: 5 }, () =>
    six.rungs.map(({ bitrateBps }) => (bitrateBps * SEGMENT_MS) / 8000),
  ),
  ...change,
});

describe.each(Object.entries(referenceRules))('%s', (_, rule) => {
  it('takes the lowest rung before anything is measured', () => {
    expect(rule(observation({ throughputBps: [], currentRung: -1 }))).toBe(0);
  });

  it('takes a higher rung at a higher throughput', () => {
    const slow = rule(observation({ throughputBps: [6e5, 6e5, 6e5] }));
    const fast = rule(observation({ throughputBps: [9e6, 9e6, 9e6] }));
    expect(fast).toBeGreaterThan(slow);
  });

  it('takes no higher rung with less buffer', () => {
    expect(rule(observation({ bufferMs: 500 }))).toBeLessThanOrEqual(rule(observation({})));
  });
});

it('RobustMPC divides its forecast by one plus the largest recent error', () => {
  const steady = observation({ bufferMs: 4000, throughputBps: [4e6, 4e6, 4e6, 4e6] });
  const shaken = observation({ bufferMs: 4000, throughputBps: [16e6, 2.6e6, 4e6, 4e6] });
  expect(robustMpc(shaken)).toBeLessThan(robustMpc(steady));
});

it('dash.js of 2016 takes nine tenths of the mean of the last three throughputs', () => {
  const rung = (...mbps: number[]): number =>
    throughput2016(observation({ throughputBps: mbps.map((one) => one * 1e6) }));
  // 2.85 Mbit/s. The harmonic mean would give rung 1, a mean of four rung 5.
  expect(rung(99, 0.5, 5, 4)).toBe(3);
  expect(rung(4)).toBe(3);
});

describe('SODA', () => {
  it('takes no rung above the least one that exceeds the throughput', () => {
    const rung = soda(observation({ bufferMs: 20_000, throughputBps: [1.1e6], currentRung: 5 }));
    const least = six.rungs.findIndex(({ bitrateBps }) => bitrateBps >= 1.1e6);
    expect(rung).toBeLessThanOrEqual(least);
  });

  it('switches less with a higher switching cost', () => {
    const weights = { buffer: 0.01, targetShare: 0.6, above: 0.2 };
    const seen = observation({ bufferMs: 4000, currentRung: 1, throughputBps: [1.2e6] });
    expect(soda(seen, { ...weights, switching: 1e6 })).toBe(1);
    expect(soda(seen, { ...weights, switching: 0 })).toBeGreaterThan(1);
  });

  it('takes the lowest rung where no sequence keeps the buffer from running dry', () => {
    expect(soda(observation({ bufferMs: 0, throughputBps: [1e5] }))).toBe(0);
  });
});
