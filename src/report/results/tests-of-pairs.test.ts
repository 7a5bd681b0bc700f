import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimate, type Estimate } from './estimate';
import {
  criticalT,
  holm,
  medianInterval,
  pairedT,
  signedRank,
  standardDeviation,
} from './tests-of-pairs';

/**
 * Darwin's maize, as in Fisher (1935) and Cureton (1967): heights of crossed minus those of self-fertilised
 * plants.
 */
const maize = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75];

describe('tests of pairs', () => {
  test('Student’s t matches the tables', () => {
    for (const [freedom, t] of [
      [1, 12.7062],
      [4, 2.7764],
      [24, 2.0639],
      [99, 1.9842],
    ] as const) {
      expect(criticalT(freedom)).toBeCloseTo(t, 3);
    }
    expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.138, 3);
  });

  test('the 95 % interval agrees with published t values', () => {
    // s = 1, n = 4: t(3) = 3.182; n = 61: t(60) = 2.000.
    const halfOf = ({ low, high }: Estimate): number => ((high ?? NaN) - (low ?? NaN)) / 2;
    const four = estimate([1, 1, 1, 3]);
    expect(four.mean).toBe(1.5);
    expect(halfOf(four)).toBeCloseTo((3.182 * 1) / 2, 3);
    const many = Array.from({ length: 61 }, (_, i) => i - 30);
    const deviation = Math.sqrt(many.reduce((sum, x) => sum + x * x, 0) / 60);
    expect(halfOf(estimate(many))).toBeCloseTo((2.0003 * deviation) / Math.sqrt(61), 2);
    expect(estimate([7])).toEqual({ count: 1, mean: 7, low: null, high: null });
  });

  test('Darwin’s maize: t and signed ranks', () => {
    // SciPy 1.16: ttest_1samp 0.0497029, wilcoxon 0.0412598.
    expect(pairedT(maize)).toBeCloseTo(0.0497029, 6);
    expect(signedRank(maize)?.p).toBeCloseTo(0.041259765625, 10);
    expect(signedRank(maize)?.rankBiserial).toBeCloseTo((96 - 24) / 120, 10);
  });

  test('counts ties and zeros exactly, without approximation', () => {
    // Ranks of 1, 1, 2 are 1.5, 1.5, 3: of 8 signs, only "all negative" and "all positive" are as far out.
    expect(signedRank([1, 1, 0, 2])?.p).toBeCloseTo(2 / 8, 12);
    expect(signedRank([0.1 + 0.2, 0.3, -0.3, 5])?.rankBiserial).toBeCloseTo(
      (2 + 2 + 4 - 2) / 10,
      12,
    );
    expect(signedRank([0, 0])).toBeUndefined();
  });

  test('five pairs cannot be significant by rank, six can', () => {
    expect(signedRank([1, 2, 3, 4, 5])?.p).toBeCloseTo(0.0625, 12);
    expect(signedRank([1, 2, 3, 4, 5, 6])?.p).toBeCloseTo(0.03125, 12);
  });

  test('handles differences without spread', () => {
    expect(pairedT([1])).toBeUndefined();
    expect(pairedT([0, 0, 0])).toBe(1);
    expect(pairedT([2, 2, 2])).toBe(0);
  });

  test('gives the same p after a change of all signs', () => {
    const values = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(values, (differences) => {
        const turned = differences.map((value) => -value);
        expect(signedRank(turned)?.p).toBe(signedRank(differences)?.p);
        expect(pairedT(turned)).toBe(pairedT(differences));
        expect(signedRank(differences)?.p ?? 1).toBeGreaterThan(0);
      }),
    );
  });

  test('Holm multiplies the smallest by the number of tests, and never changes the order', () => {
    expect(holm([0.01, 0.04, null, 0.03, 0.005])).toEqual([0.03, 0.06, null, 0.06, 0.02]);
    expect(holm([0.6, 0.9])).toEqual([1, 1]);
  });

  test('gives the median’s interval by the binomial distribution', () => {
    expect(medianInterval([1, 2, 3, 4, 5])).toBeUndefined();
    expect(medianInterval([6, 5, 4, 3, 2, 1])).toEqual({ low: 1, high: 6, confidence: 0.96875 });
    // n = 20: between the 6th and the 15th value, 95.86 % (Conover, Practical Nonparametric Statistics).
    const twenty = Array.from({ length: 20 }, (_, i) => i + 1);
    const interval = medianInterval(twenty);
    expect([interval?.low, interval?.high]).toEqual([6, 15]);
    expect(interval?.confidence).toBeCloseTo(0.9586, 4);
  });
});
