import { describe, expect, it } from 'vitest';
import type { Trials } from './cells';
import { all, judgeLess, judgeMore, judgeSimilar, type Judgement } from './judge';

function trials(...values: number[]): Trials {
  return new Map(values.map((value, seed) => [seed, value]));
}

const reference = trials(10, 20, 30, 40);

function verdicts(ours: Trials): (boolean | null)[] {
  const comparison = { ours, reference, digits: 1 };
  return [judgeLess, judgeMore, judgeSimilar].map((judge) => judge(comparison).agrees);
}

describe('judgements', () => {
  it('compare pairs: a constant difference counts, however much trials vary', () => {
    // 25 as mean; a quarter of it is 6.25.
    expect(verdicts(trials(7, 16, 27, 36))).toEqual([true, false, true]);
    expect(verdicts(trials(13, 24, 33, 44))).toEqual([false, true, true]);
    expect(verdicts(trials(0, 9, 20, 29))).toEqual([true, false, false]);
  });

  it('call equal values neither less nor more', () => {
    expect(verdicts(reference)).toEqual([false, false, true]);
  });

  it('are undecided within chance', () => {
    expect(verdicts(trials(30, 5, 45, 20))).toEqual([null, null, null]);
    expect(verdicts(trials(10))).toEqual([null, null, null]);
    expect(verdicts(trials())).toEqual([null, null, null]);
  });

  it('at a reference of 0 never confirm a decrease', () => {
    const none = { ours: trials(0, 0, 0), reference: trials(0, 0, 0), digits: 1 };
    expect(judgeLess(none).agrees).toBeNull();
    expect(judgeSimilar(none).agrees).toBe(true);
    expect(judgeLess({ ...none, ours: trials(30, 31, 32) }).agrees).toBe(false);
  });

  it('print means, unit and interval', () => {
    const ours = trials(9, 18, 29, 38);
    expect(judgeLess({ ours, reference, digits: 1, unit: 'Mbit/s' }).ours).toBe(
      '23.5 beside 25.0 Mbit/s (difference -2.4 to -0.6)',
    );
    expect(judgeLess({ ours: trials(9.99, 19.98, 29.99, 39.98), reference, digits: 1 }).ours).toBe(
      '25.0 beside 25.0 (difference 0.0 to 0.0)',
    );
    expect(judgeLess({ ours: trials(), reference, digits: 1 }).ours).toBe('not simulated');
  });

  it('of several parts: one that differs decides, else all must agree', () => {
    const part = (agrees: boolean | null) => ({
      name: 'LIA',
      judgement: { ours: '1 beside 2', agrees } satisfies Judgement,
    });
    expect(all([part(true), part(null), part(false)]).agrees).toBe(false);
    expect(all([part(true), part(null)]).agrees).toBeNull();
    expect(all([part(true), part(true)])).toEqual({
      ours: 'LIA 1 beside 2; LIA 1 beside 2',
      agrees: true,
    });
  });
});
