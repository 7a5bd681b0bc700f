import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coveredMs,
  emptyEwma,
  emptyWindow,
  ewmaMean,
  mean,
  median,
  mergeSpans,
  pushWindow,
  quantile,
  updateEwma,
  windowMin,
} from '.';

const rate = fc.integer({ min: 0, max: 10_000_000_000 });
const ms = fc.double({ min: 0.1, max: 60_000, noNaN: true });

describe('ewma', () => {
  test('stays within its inputs and is exact for a constant', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(rate, ms), { minLength: 1 }), (steps) => {
        let ewma = emptyEwma;
        for (const [value, duration] of steps) ewma = updateEwma(ewma, value, duration, 1000);
        const values = steps.map(([value]) => value);
        const result = ewmaMean(ewma) ?? NaN;
        expect(result).toBeGreaterThanOrEqual(Math.min(...values) * (1 - 1e-9));
        expect(result).toBeLessThanOrEqual(Math.max(...values) * (1 + 1e-9));
      }),
    );
  });

  test('is independent of how an interval is split', () => {
    fc.assert(
      fc.property(
        rate,
        rate,
        ms,
        fc.integer({ min: 2, max: 9 }),
        (before, value, duration, cuts) => {
          const start = updateEwma(emptyEwma, before, 500, 1000);
          const whole = ewmaMean(updateEwma(start, value, duration, 1000)) ?? NaN;
          let cut = start;
          for (let i = 0; i < cuts; i += 1) cut = updateEwma(cut, value, duration / cuts, 1000);
          expect(Math.abs((ewmaMean(cut) ?? NaN) - whole)).toBeLessThanOrEqual(1e-6 * (1 + whole));
        },
      ),
    );
  });

  test('weighs an old value half after one half-life', () => {
    const long = updateEwma(emptyEwma, 100, 1e9, 1000);
    expect(ewmaMean(updateEwma(long, 0, 1000, 1000))).toBeCloseTo(50);
  });

  test('ignores bad input', () => {
    const one = updateEwma(emptyEwma, 5, 100, 1000);
    expect(updateEwma(one, NaN, 100, 1000)).toBe(one);
    expect(updateEwma(one, 5, -1, 1000)).toBe(one);
    expect(ewmaMean(emptyEwma)).toBeUndefined();
  });
});

test('a sliding window keeps its bounds and its minimum is that of a plain scan', () => {
  const bounds = { maxAgeMs: 1000, maxCount: 20 };
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer())), (steps) => {
      let window = emptyWindow;
      let nowMs = 0;
      const all: [number, number][] = [];
      for (const [step, value] of steps) {
        nowMs += step;
        window = pushWindow(window, nowMs, value, bounds);
        all.push([nowMs, value]);
      }
      const recent = all.slice(-bounds.maxCount).filter(([at]) => at >= nowMs - bounds.maxAgeMs);
      expect(window.values).toEqual(recent.map(([, value]) => value));
      expect(windowMin(window)).toBe(
        recent.length > 0 ? Math.min(...recent.map(([, value]) => value)) : undefined,
      );
    }),
  );
});

describe('statistics', () => {
  test('mean, median and quantiles', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(median([3, 1, 2, 10])).toBe(2.5);
    expect(quantile([0, 10], 0.9)).toBe(9);
    expect(mean([])).toBeUndefined();
    expect(median([])).toBeUndefined();
  });
});

test('merged spans cover what the single ones cover', () => {
  const spans = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20 })),
  );
  fc.assert(
    fc.property(spans, (raw) => {
      const list = raw.map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
      let expected = 0;
      for (let t = 10; t < 40; t += 1) {
        if (list.some((span) => span.startMs <= t && span.endMs >= t + 1)) expected += 1;
      }
      const merged = mergeSpans(list);
      expect(coveredMs(merged, 10, 40)).toBe(expected);
      for (const [i, span] of merged.entries()) {
        expect(span.startMs).toBeGreaterThan(merged[i - 1]?.endMs ?? -Infinity);
      }
    }),
  );
});
