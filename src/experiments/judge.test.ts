import { describe, expect, it } from 'vitest';
import { estimate } from '../report';
import { isLess, isLessByPairs, isMore, isMoreByPairs, type Pair } from './judge';

function pairs(...differences: number[]): Pair[] {
  return differences.map((difference, trial) => [100 + trial + difference, 100 + trial]);
}

const verdicts = (values: readonly Pair[]): (boolean | null)[] => [
  isLessByPairs(values),
  isMoreByPairs(values),
];

describe('less and more', () => {
  it('use the interval of the pairs', () => {
    expect(verdicts(pairs(-9, -10, -11))).toEqual([true, false]);
    expect(verdicts(pairs(9, 10, 11))).toEqual([false, true]);
    expect(verdicts(pairs(-40, 50, 10))).toEqual([null, null]);
  });

  it('differ if nothing changes, or too little', () => {
    expect(verdicts(pairs(0, 0, 0))).toEqual([false, false]);
    expect(verdicts(pairs(-0.5, 0.5, 0.1))).toEqual([false, false]);
    // Beyond chance, and below 2 %.
    expect(verdicts(pairs(0.9, 1, 1.1))).toEqual([false, false]);
  });

  it('are undecided without a pair, or with one alone', () => {
    expect(verdicts([])).toEqual([null, null]);
    expect(verdicts(pairs(-50))).toEqual([null, null]);
    expect(verdicts([...pairs(-50), [NaN, 1], [1, NaN]])).toEqual([null, null]);
  });

  it('at a reference of 0 can refute a decrease and confirm an increase, nothing else', () => {
    expect(isLess(estimate([0, 0, 0]), 0)).toBeNull();
    expect(isLess(estimate([-1, 5, 2]), 0)).toBeNull();
    expect(isLess(estimate([30, 31, 32]), 0)).toBe(false);
    expect(isMore(estimate([0, 0, 0]), 0)).toBeNull();
    expect(isMore(estimate([30, 31, 32]), 0)).toBe(true);
  });

  it('use the magnitude of a negative reference', () => {
    expect(isLess(estimate([-1, 1, 0.5]), -200)).toBe(false);
    expect(isMore(estimate([-1, 1, 0.5]), -200)).toBe(false);
  });
});
