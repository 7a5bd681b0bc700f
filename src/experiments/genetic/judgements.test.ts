import { describe, expect, it } from 'vitest';
import { estimate } from '../../report';
import {
  comparisonText,
  isLessIn,
  isMoreIn,
  isOfSize,
  judgeChange,
  judgeEach,
  part,
  type Comparison,
} from './judgements';
import type { RunMetric } from './results';

/** Networks of trials: our value and the reference, in the order of the trials. */
function compared(metric: RunMetric, ...trials: (readonly [number, number])[][]): Comparison {
  const pairs = trials.flatMap((networks, seed) => networks.map((pair) => ({ seed, pair })));
  return { metric, pairs };
}

describe('comparison of two sides', () => {
  it('counts a trial once, however many networks it has', () => {
    const one = compared('bitrate', [[110, 100]], [[130, 100]], [[120, 100]]);
    const often = compared(
      'bitrate',
      ...[110, 130, 120].map((ours) => Array.from({ length: 9 }, () => [ours, 100] as const)),
    );
    expect(comparisonText(one)).toBe('120 beside 100 kbit/s: +20 (-5 to +45), 3 trials');
    expect(comparisonText(often)).toBe(comparisonText(one));
    expect([isMoreIn(one), isMoreIn(often)]).toEqual([null, null]);
  });

  it('judges outages by how many are shorter, not by the longest one', () => {
    const trial = [
      [1, 5],
      [2, 9],
      [900, 1],
      [0, 4],
      [3, 9],
    ] as const;
    const outages = compared('outage', [...trial], [...trial], [...trial]);
    expect(isLessIn(outages)).toBe(true);
    expect(comparisonText(outages)).toContain('shorter in 12, longer in 3 of 15 pairs');
  });

  it('takes outages as equal within 2 %, and cannot judge where there are none', () => {
    const level = Array.from({ length: 5 }, () => [[100, 101] as const]);
    expect(isLessIn(compared('outage', ...level))).toBe(false);
    expect(isLessIn(compared('outage', [[0, 0]], [[0, 0]]))).toBeNull();
  });

  it('finds less than one switch no difference', () => {
    const fewer = (by: number): Comparison =>
      compared('switches', ...[0, 0.01, 0.02].map((noise) => [[9 - by - noise, 9] as const]));
    expect(isLessIn(fewer(0.5))).toBe(false);
    expect(isLessIn(fewer(2))).toBe(true);
  });
});

describe('sizes', () => {
  it('agree from half to twice the paper’s, with its sign', () => {
    const near = (value: number): boolean | null =>
      isOfSize(estimate([value - 0.1, value, value + 0.1]), -11);
    expect([-6, -11, -21].map(near)).toEqual([true, true, true]);
    expect([11, 0, -95].map(near)).toEqual([false, false, false]);
    expect(isOfSize(estimate([-30, 10, -11]), -11)).toBeNull();
  });

  it('of a change are a share of the mean, so that a reference of 0 in one trial does no harm', () => {
    const change = compared('outage', [[0, 0]], [[88, 100]], [[180, 200]]);
    expect(judgeChange(change, -11).ours).toMatch(/^-10\.7 \(/);
    expect(judgeChange(compared('outage'), -11).agrees).toBeNull();
  });
});

describe('a statement about each of several', () => {
  const rival = (name: string, ...values: number[]): ReturnType<typeof part> =>
    part(name, compared('bitrate', ...values.map((one) => [[one, 2000] as const])), true);

  it('agrees only if it does for each', () => {
    const good = rival('a', 2300, 2310, 2320);
    expect(judgeEach([good, good]).agrees).toBe(true);
    expect(judgeEach([good, rival('b', 2000, 2600, 2300)]).agrees).toBeNull();
    expect(judgeEach([]).agrees).toBeNull();
  });

  it('differs by one clear contradiction, not by one that chance gives among many', () => {
    const good = rival('good', 2300, 2310, 2320);
    const clear = judgeEach([good, rival('clear', 1500, 1510, 1520)]);
    expect(clear.agrees).toBe(false);
    expect(clear.ours).toContain('contradicted by clear -490');
    // t = 5.3 with 2 degrees of freedom: p = 0.03 alone.
    const weak = rival('weak', 1700, 1800, 1880);
    expect(judgeEach([weak]).agrees).toBe(false);
    expect(judgeEach([weak, ...Array.from({ length: 20 }, () => good)]).agrees).toBeNull();
  });
});
