import { describe, expect, it } from 'vitest';
import {
  addError,
  errorConfig,
  expectRate,
  forecastError,
  meanError,
  noErrors,
  takeExpected,
  type ExpectedRate,
} from './forecast-errors';

const expected = (atMs: number, more: Partial<ExpectedRate> = {}): ExpectedRate => ({
  atMs,
  rateBps: 4e6,
  spread: 0.3,
  pendingBytes: 0,
  ...more,
});
const after = (errors: readonly number[]): number => meanError(errors.reduce(addError, noErrors));

describe('addError', () => {
  it('widens with errors of both signs, and narrows with good forecasts', () => {
    expect(after([])).toBeCloseTo(errorConfig.first, 9);
    expect(after([0.7, 0.7, 0.7])).toBeGreaterThan(errorConfig.first);
    expect(after([-0.7, -0.7, -0.7])).toBeCloseTo(after([0.7, 0.7, 0.7]), 9);
    expect(after(Array<number>(40).fill(0))).toBeLessThan(0.02);
  });

  it('takes no error that is no number, and limits a large one', () => {
    expect(addError(noErrors, NaN)).toEqual(noErrors);
    expect(after([100])).toBe(after([errorConfig.mostError]));
  });
});

describe('forecastError', () => {
  it('is the logarithm of the rate over the forecast', () => {
    const arrived = { bytes: 500_000, startMs: 1000, endMs: 2000 };
    expect(forecastError(expected(900), arrived)).toBeCloseTo(0, 9);
    expect(forecastError(expected(900), { ...arrived, endMs: 3000 })).toBeCloseTo(-Math.LN2, 9);
  });

  it('counts pending bytes, which arrive first, from the decision on', () => {
    // 250,000 bytes were pending at 1000 ms; the request begins when they are there, at 1500 ms.
    const behind = expected(1000, { pendingBytes: 250_000 });
    const arrived = { bytes: 500_000, startMs: 1500, endMs: 2500 };
    expect(forecastError(behind, arrived)).toBeCloseTo(0, 9);
  });

  it('is finite for impossible times', () => {
    const now = { bytes: 500_000, startMs: 1000, endMs: 1000 };
    expect(Number.isFinite(forecastError(expected(900), now))).toBe(true);
  });
});

describe('takeExpected', () => {
  it('gives each of two segments at once its own forecast', () => {
    const first = expected(1000);
    const second = expected(1800, { rateBps: 2e6, pendingBytes: 9000 });
    const both = expectRate(expectRate(noErrors, first), second);
    const taken = takeExpected(both, 1010);
    expect(taken.expected).toEqual(first);
    expect(takeExpected(taken.errors, 1900).expected).toEqual(second);
  });

  it('forgets the forecasts of segments that were never requested', () => {
    const many = [100, 200, 300].reduce(
      (errors, atMs) => expectRate(errors, expected(atMs)),
      noErrors,
    );
    const taken = takeExpected(many, 250);
    expect(taken.expected?.atMs).toBe(200);
    expect(taken.errors.open.map(({ atMs }) => atMs)).toEqual([300]);
    expect(takeExpected(noErrors, 250).expected).toBeUndefined();
  });

  it('keeps few forecasts', () => {
    const endless = Array.from({ length: 50 }, (_, atMs) => expected(atMs));
    expect(endless.reduce(expectRate, noErrors).open).toHaveLength(errorConfig.mostOpen);
  });
});
