import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../core';
import { bestQoe, DEFAULT_OPTIMUM_OPTIONS, type OptimumProblem } from './best-qoe';
import { volumeOf } from './rate-profile';
import { bruteForce, play, type RungChooser } from './testing/policies';

const base = {
  bitratesBps: [1e6, 2e6, 4e6],
  segmentMs: 2000,
  topBitrateBps: 4e6,
  startMs: 0,
  playMs: 2000,
  bufferCapMs: 8000,
};

function constant(rateBps: number, segments: number): OptimumProblem {
  return {
    ...base,
    segmentBits: base.bitratesBps.map((bps) => Array.from({ length: segments }, () => bps * 2)),
    volume: volumeOf({ atMs: [0], rateBps: [rateBps] }),
  };
}

/** Random sizes around the bit rates over a random capacity with outages. */
const problems = (segments: number) =>
  fc
    .record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      scale: fc.double({ min: 0.3, max: 3, noNaN: true }),
      startMs: fc.integer({ min: 0, max: 3000 }),
      waitMs: fc.integer({ min: 0, max: 5000 }),
      bufferCapMs: fc.integer({ min: 4000, max: 30_000 }),
    })
    .map(({ seed, scale, startMs, waitMs, bufferCapMs }): OptimumProblem => {
      const random = createRandom(seed);
      const atMs = Array.from({ length: segments * 4 }, (_, i) => i * 700);
      const rateBps = atMs.map(() => (random() < 0.15 ? 0 : scale * 4e6 * random()));
      return {
        ...base,
        startMs,
        playMs: startMs + waitMs,
        bufferCapMs,
        segmentBits: base.bitratesBps.map((bps) =>
          Array.from({ length: segments }, () => bps * (1 + 2 * random())),
        ),
        volume: volumeOf({ atMs: [...atMs, segments * 2800], rateBps: [...rateBps, scale * 2e6] }),
      };
    });

describe('the offline optimum', () => {
  test('shows the top rung throughout if the capacity allows it', () => {
    expect(bestQoe(constant(9e6, 10)).qoe).toBeCloseTo(40, 6);
  });

  test('matches a hand calculation with a step up and a stall that pay', () => {
    const finely = { stallStepMs: 0.01 };
    // 6 Mbit by the first deadline (2 s), 12 by the second: the top rung's 8 Mbit do not fit first. 4 and
    // then 8 fit, and earn 2 + 4 - 2, as much as 4 and 4.
    expect(bestQoe(constant(3e6, 2), finely).qoe).toBeCloseTo(4, 4);
    // Twice the top rung is 16 Mbit, which arrives at 4.444 s and is due at 4 s: 8 less 0.444 s at 4 Mbit/s.
    expect(bestQoe(constant(3.6e6, 2), finely).qoe).toBeCloseTo(8 - (4 * 16) / 3.6 + 16, 3);
  });

  test('nothing can be shown over a link without capacity', () => {
    expect(bestQoe(constant(0, 3)).qoe).toBe(-Infinity);
    expect(bestQoe({ ...constant(1e6, 0) }).qoe).toBe(0);
  });

  test('equals the best of all sequences of rungs', () => {
    fc.assert(
      fc.property(problems(6), (problem) => {
        const truth = bruteForce(problem);
        const stallStepMs = 0.5;
        const found = bestQoe(problem, { stallStepMs }).qoe;
        expect(found).toBeGreaterThanOrEqual(truth - 1e-6);
        expect(found).toBeLessThanOrEqual(truth + (4 * stallStepMs) / 1000 + 1e-6);
      }),
      { numRuns: 60 },
    );
  });

  test('a session that ended in a stall: pays for the time without a picture that no player can avoid', () => {
    // 4 Mbit/s for 8 s, then nothing. The player showed four segments until 10 s and stood still until 30 s.
    const volume = volumeOf({ atMs: [0, 8000], rateBps: [4e6, 0] });
    const dead = { ...constant(4e6, 14), volume, bufferCapMs: 30_000 };
    const { qoe } = bestQoe({ ...dead, counted: 4, untilMs: 30_000 });
    // 32 Mbit: 14 segments of 2 Mbit keep the picture to the end, and 4 Mbit pay for two steps up.
    expect(qoe).toBeGreaterThan(4);
    expect(qoe).toBeLessThan(8);
    expect(bestQoe({ ...constant(4e6, 4), volume, bufferCapMs: 30_000 }).qoe).toBeGreaterThan(12);
    // A buffer of 8 s cannot bridge 20 s.
    expect(bestQoe({ ...dead, bufferCapMs: 8000, counted: 4, untilMs: 30_000 }).qoe).toBeLessThan(
      -30,
    );
  });

  test('with a session’s end: equals the best of all sequences of rungs', () => {
    fc.assert(
      fc.property(
        problems(8),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 25_000 }),
        (problem, counted, afterMs) => {
          const cut = { ...problem, counted, untilMs: problem.playMs + counted * 2000 + afterMs };
          const truth = bruteForce(cut);
          const stallStepMs = 0.5;
          const found = bestQoe(cut, { stallStepMs }).qoe;
          expect(found).toBeGreaterThanOrEqual(truth - 1e-6);
          expect(found).toBeLessThanOrEqual(truth + (4 * stallStepMs) / 1000 + 1e-6);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('with few candidates the bound stays above the optimum, and the found value below it', () => {
    fc.assert(
      fc.property(problems(8), (problem) => {
        const truth = bruteForce(problem);
        expect(bestQoe(problem, { ways: 12 }).qoe).toBeGreaterThanOrEqual(truth - 1e-6);
        expect(bestQoe(problem, { ways: 12, thinning: 'real' }).qoe).toBeLessThanOrEqual(
          truth + 1e-6,
        );
      }),
      { numRuns: 25 },
    );
  });

  test('no player without knowledge of the future beats it', () => {
    const policies: RungChooser[] = [
      ...base.bitratesBps.map((_, rung) => () => rung),
      ({ rateBps }) =>
        Math.max(0, base.bitratesBps.filter((bps) => bps < rateBps * 0.9).length - 1),
      ({ bufferMs }) => Math.min(2, Math.max(0, Math.floor(bufferMs / 3000))),
    ];
    fc.assert(
      fc.property(problems(30), (problem) => {
        const { qoe } = bestQoe(problem, { ways: 120 });
        // The search ends when the possible gain is below one step of stalling.
        const step = (problem.topBitrateBps / 1e9) * DEFAULT_OPTIMUM_OPTIONS.stallStepMs;
        for (const policy of policies) {
          expect(play(problem, policy)).toBeLessThanOrEqual(qoe + step + 1e-6);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('sixty segments on seven rungs: the bound is within one percent of an existing sequence', () => {
    const random = createRandom(7);
    const bitratesBps = [300, 750, 1200, 1850, 2850, 4300, 6000].map((kbps) => kbps * 1000);
    const atMs = Array.from({ length: 200 }, (_, i) => i * 1000);
    const problem: OptimumProblem = {
      ...base,
      bitratesBps,
      topBitrateBps: 6e6,
      bufferCapMs: 32_000,
      segmentBits: bitratesBps.map((bps) =>
        Array.from({ length: 60 }, () => bps * 2 * (0.6 + 0.8 * random())),
      ),
      volume: volumeOf({ atMs, rateBps: atMs.map(() => 8e6 * random()) }),
    };
    const bound = bestQoe(problem).qoe;
    const real = bestQoe(problem, { thinning: 'real' }).qoe;
    expect(bound).toBeGreaterThanOrEqual(real);
    expect(bound).toBeLessThanOrEqual(real * 1.01);
  });
});
