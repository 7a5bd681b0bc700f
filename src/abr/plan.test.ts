import { describe, expect, test } from 'vitest';
import { planRestart, planRungs } from './plan';
import type { RungPlanInput } from './plan-states';
import { rateChain, type RateBelief } from './rate-chain';
import { sure } from './testing/builders';

const bitratesBps = [300e3, 600e3, 1200e3, 2400e3, 4000e3, 6000e3];
function plan(
  rateMbps: number,
  more: Partial<RungPlanInput> = {},
  belief: Partial<RateBelief> = {},
): number | undefined {
  return planRungs(inputOf(rateMbps, more, belief));
}

function inputOf(
  rateMbps: number,
  more: Partial<RungPlanInput> = {},
  belief: Partial<RateBelief> = {},
): RungPlanInput {
  return {
    bitratesBps,
    currentRung: 3,
    bufferMs: 8000,
    bufferTargetMs: 18_000,
    segmentMs: 2000,
    playing: true,
    chain: rateChain({ rateBps: rateMbps * 1e6, ...sure, ...belief }),
    sizeOf: (_ahead, rung) => ((bitratesBps[rung] ?? 0) * 2000) / 8000,
    ...more,
  };
}

describe('model-predictive planning', () => {
  test('takes the top if it is free, and the lowest if nothing else arrives in time', () => {
    expect(plan(20)).toBe(5);
    expect(plan(0.2, { bufferMs: 2000 })).toBe(0);
  });

  test('a higher rate never selects a lower rung', () => {
    const rungs = [0.2, 0.5, 1, 2, 3, 4, 5, 6, 8, 12].map((rate) => plan(rate) ?? -1);
    expect(rungs).toEqual([...rungs].sort((a, b) => a - b));
  });

  test('spends a full buffer and saves an empty one', () => {
    expect(plan(3, { bufferMs: 16_000 })).toBeGreaterThan(plan(3, { bufferMs: 2500 }) ?? 9);
  });

  test('considers real sizes: a large segment ahead is not taken at any price', () => {
    const heavy = (ahead: number, rung: number): number =>
      ((bitratesBps[rung] ?? 0) * 2000 * (ahead === 0 ? 4 : 1)) / 8000;
    expect(plan(4.5, { bufferMs: 4000, sizeOf: heavy })).toBeLessThan(
      plan(4.5, { bufferMs: 4000 }) ?? 0,
    );
  });

  test('a second of stall costs no less where segments are short', () => {
    const short = {
      segmentMs: 1000,
      sizeOf: (_: number, rung: number) => (bitratesBps[rung] ?? 0) / 8,
    };
    const unsure = { spread: 0.5, rise: 0.5, step: 0.3 };
    // By the price of a segment of 2 s it is one rung more each time.
    expect(plan(2, { ...short, bufferMs: 1000 }, unsure)).toBe(1);
    expect(plan(4.2, { ...short, bufferMs: 8000 }, unsure)).toBe(4);
  });

  test('an uncertain rate lowers the rung', () => {
    const low = { bufferMs: 5000 };
    expect(plan(5, low, { spread: 1.2 })).toBeLessThan(plan(5, low) ?? 0);
  });

  test('a path that may have failed lowers the rung', () => {
    const low = { bufferMs: 4000 };
    expect(plan(5, low, { failureNow: 0.5 })).toBeLessThan(plan(5, low) ?? 0);
  });

  test('an outage that may come keeps buffer, also where a lower rung would not shorten it', () => {
    const outage = { outage: 0.02 };
    expect(plan(3.2, {}, outage)).toBeLessThan(plan(3.2) ?? 0);
    expect(plan(8, { bufferMs: 17_000 }, outage)).toBe(5);
  });

  test('a segment in flight counts with its missing bytes', () => {
    const low = { bufferMs: 4000 };
    const late = { ...low, pending: { segments: 1, bytes: 1.8e6 } };
    expect(plan(5, late)).toBeLessThan(plan(5, low) ?? 0);
    expect(plan(5, { ...low, pending: { segments: 1, bytes: 1e4 } })).toBeGreaterThanOrEqual(
      plan(5, low) ?? 9,
    );
  });

  test('spends the buffer on the last segments of the film', () => {
    const low = { bufferMs: 8000 };
    expect(plan(2.5, { ...low, remaining: 4 })).toBeGreaterThan(plan(2.5, low) ?? 9);
  });

  test('does not wait for more buffer than a live stream can have', () => {
    // Three seconds behind the edge: all that exists is here but the chunk under way.
    const live = { bufferMs: 2750, availableMs: 250, unitMs: 250 };
    expect(plan(4, live)).toBeGreaterThan(plan(4, { bufferMs: 2750 }) ?? 9);
    // A segment that grows may be requested before it is complete.
    expect(plan(5, live)).toBeGreaterThan(plan(5, { ...live, unitMs: undefined }) ?? 9);
    expect(plan(2, live)).toBeLessThan(plan(5, live) ?? 0);
  });

  test('survives an empty ladder, a rate of 0 and a live edge', () => {
    expect(plan(20, { bitratesBps: [] })).toBeUndefined();
    expect(plan(0)).toBe(0);
    expect(plan(20, { availableMs: 0, bufferMs: 1000 })).toBeGreaterThanOrEqual(0);
  });

  test('plans a film in one segment of a day within milliseconds', () => {
    const segmentMs = 1e8;
    const sizeOf = (_: number, rung: number): number =>
      ((bitratesBps[rung] ?? 0) * segmentMs) / 8e3;
    const begin = performance.now();
    expect(plan(1e6, { segmentMs, sizeOf })).toBe(5);
    expect(plan(0.2, { segmentMs, sizeOf, bufferMs: 0 })).toBe(0);
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});

describe('a segment in flight', () => {
  /** 6 Mbit/s for 2 s, of which so much is missing. */
  const restart = (rateMbps: number, bufferMs: number, restBytes = 1e6): number | undefined =>
    planRestart(inputOf(rateMbps, { currentRung: 5, bufferMs }), restBytes, 300);

  test('goes on if its rest comes in time, or is smaller than the lowest rung', () => {
    expect(restart(8, 3000)).toBeUndefined();
    expect(restart(0.5, 1000, 70_000)).toBeUndefined();
    expect(planRestart(inputOf(8, { bitratesBps: [] }), 1e6, 300)).toBeUndefined();
  });

  test('goes on for a stall that costs less than the lower quality', () => {
    expect(restart(4, 1500)).toBeUndefined();
  });

  test('begins anew for a long stall, on a lower rung the slower the network is', () => {
    const rungs = [2, 1.2, 0.6].map((rateMbps) => restart(rateMbps, 2000) ?? 9);
    expect(rungs).toEqual([...rungs].sort((a, b) => b - a));
    expect(rungs[0]).toBeLessThan(5);
    expect(rungs[2]).toBe(0);
  });
});
