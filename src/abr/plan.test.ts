import { describe, expect, test } from 'vitest';
import { planRungs, type PlanInput } from '.';

const bitratesBps = [300e3, 600e3, 1200e3, 2400e3, 4000e3, 6000e3];
function plan(rateMbps: number, more: Partial<PlanInput> = {}): number | undefined {
  return planRungs({
    bitratesBps,
    currentRung: 3,
    bufferMs: 8000,
    bufferTargetMs: 18_000,
    segmentMs: 2000,
    playing: true,
    rates: [{ rateBps: rateMbps * 1e6, weight: 1 }],
    sizeOf: (_ahead, rung) => ((bitratesBps[rung] ?? 0) * 2000) / 8000,
    ...more,
  })?.rung;
}

describe('planning ahead', () => {
  test('takes the top when it is free, and the lowest when nothing else arrives in time', () => {
    expect(plan(20)).toBe(5);
    expect(plan(0.2, { bufferMs: 2000 })).toBe(0);
  });

  test('a higher rate never chooses less', () => {
    const rungs = [0.2, 0.5, 1, 2, 3, 4, 5, 6, 8, 12].map((rate) => plan(rate) ?? -1);
    expect(rungs).toEqual([...rungs].sort((a, b) => a - b));
  });

  test('spends a full buffer and saves an empty one', () => {
    expect(plan(3, { bufferMs: 16_000 })).toBeGreaterThan(plan(3, { bufferMs: 2500 }) ?? 9);
  });

  test('looks at real sizes: a heavy segment ahead is not taken at any price', () => {
    const heavy = (ahead: number, rung: number): number =>
      ((bitratesBps[rung] ?? 0) * 2000 * (ahead === 0 ? 4 : 1)) / 8000;
    expect(plan(4.5, { bufferMs: 4000, sizeOf: heavy })).toBeLessThan(
      plan(4.5, { bufferMs: 4000 }) ?? 0,
    );
  });

  test('a possible bad day makes careful', () => {
    const sure = plan(5, { bufferMs: 3000 }) ?? 0;
    const rates = [
      { rateBps: 5e6, weight: 0.6 },
      { rateBps: 1e6, weight: 0.4 },
    ];
    expect(plan(5, { bufferMs: 3000, rates })).toBeLessThan(sure);
  });

  test('does not go beyond the rung it is allowed, and knows an empty ladder', () => {
    expect(plan(20, { currentRung: 1, highest: 2 })).toBe(2);
    expect(plan(20, { bitratesBps: [] })).toBeUndefined();
  });
});
