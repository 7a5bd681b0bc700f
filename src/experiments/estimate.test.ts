import { describe, expect, it } from 'vitest';
import { estimate } from '../report';
import { estimateText, isAbove, isBelow, isWithin } from './estimate';

describe('estimate', () => {
  it('gives Student’s interval for few values', () => {
    // 1, 2, 3: mean 2, deviation 1, t(2) = 4.303: 4.303 / sqrt(3) = 2.484.
    const { count, mean, low, high } = estimate([1, 2, 3]);
    expect([count, mean]).toEqual([3, 2]);
    expect(low).toBeCloseTo(-0.484, 3);
    expect(high).toBeCloseTo(4.484, 3);
  });

  it('has no interval for one value, and ignores values that are not numbers', () => {
    expect(estimate([5, NaN])).toEqual({ count: 1, mean: 5, low: null, high: null });
    expect(estimate([])).toEqual({ count: 0, mean: null, low: null, high: null });
  });

  it('decides only if the whole interval lies on one side', () => {
    const sure = estimate([1, 1.1, 0.9, 1]);
    expect([isAbove(sure, 0), isAbove(sure, 2), isAbove(sure, 1)]).toEqual([true, false, null]);
    expect([isBelow(sure, 0), isBelow(sure, 2), isBelow(sure, 1)]).toEqual([false, true, null]);
    expect(isAbove(estimate([9]), 0)).toBeNull();
  });

  it('is within two limits, or outside, only if its whole interval is', () => {
    const sure = estimate([1, 1.1, 0.9, 1]);
    expect([isWithin(sure, 0, 2), isWithin(sure, 2, 3), isWithin(sure, 1, 2)]).toEqual([
      ...[true, false, null],
    ]);
    expect(isWithin(estimate([9]), 0, 10)).toBeNull();
  });

  it('formats itself', () => {
    expect(estimateText(estimate([1, 2, 3]), 2, 'pairs')).toBe('2.00 (-0.48 to 4.48), 3 pairs');
    expect(estimateText(estimate([4]), 1, 'runs')).toBe('4.0, 1 runs');
    expect(estimateText(estimate([]), 1, 'runs')).toBe('no runs');
  });
});
