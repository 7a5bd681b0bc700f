import { describe, expect, it } from 'vitest';
import type { Trials } from './cells';
import { all, atLeast, judgeLess, judgeMore, judgeSimilar, type Judgement } from './judge';

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
    // 25 as mean; a tenth of it is 2.5.
    expect(verdicts(trials(9, 18, 29, 38))).toEqual([true, false, true]);
    expect(verdicts(trials(11, 22, 31, 42))).toEqual([false, true, true]);
    expect(verdicts(trials(0, 9, 20, 29))).toEqual([true, false, false]);
  });

  it('of events: "fewer" and "similar" have the same margin and never agree both', () => {
    const counts = (...values: number[]) => {
      const comparison = { ours: trials(...values), reference, digits: 1, isEvents: true };
      return [judgeLess, judgeMore, judgeSimilar].map((judge) => judge(comparison).agrees);
    };
    // Less by 1 to 2: surely less, surely by less than a tenth.
    expect(counts(9, 18, 29, 38)).toEqual([false, false, true]);
    // Less by 5 to 6, more by 5 to 6.
    expect(counts(5, 14, 25, 34)).toEqual([true, false, false]);
    expect(counts(15, 26, 35, 46)).toEqual([false, true, false]);
    // Less by 2 to 4: the interval has the margin inside.
    expect(counts(8, 16, 28, 36)).toEqual([null, false, null]);
  });

  it('of events: one event of a film is the least margin', () => {
    const few = { reference: trials(2, 3, 2, 3), digits: 1, isEvents: true };
    expect(judgeSimilar({ ...few, ours: trials(2.5, 3.4, 2.4, 3.5) }).agrees).toBe(true);
    expect(judgeLess({ ...few, ours: trials(1.5, 2.4, 1.6, 2.5) }).agrees).toBe(false);
    expect(judgeLess({ ...few, ours: trials(0, 1, 0, 0.9) }).agrees).toBe(true);
  });

  it('say if only the size differs', () => {
    const below = { ours: trials(9, 18, 29, 38), reference, digits: 1, isEvents: true };
    expect(judgeLess(below).why).toBe("The sign is the paper's, the size is below the margin.");
    expect(judgeMore(below).why).toBeUndefined();
    expect(judgeLess({ ...below, margin: 1, isEvents: false }).why).toBeUndefined();
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

  it('of several parts name those that differ or are open', () => {
    const part = (name: string, agrees: boolean | null, why?: string) => ({
      name,
      judgement: { ours: '1 beside 2', agrees, ...(why === undefined ? {} : { why }) },
    });
    const small = judgeLess({ ours: trials(99, 99.1), reference: trials(100, 100), digits: 0 }).why;
    expect(small).toBeDefined();
    expect(all([part('A', false, small), part('B', false), part('C', null)]).why).toBe(
      "It differs with A and B. With A the sign is the paper's, the size is below the margin.",
    );
    expect(all([part('A', true), part('B', null)]).why).toBe(
      'These trials do not decide it with B.',
    );
    expect(all([part('A', false), part('B', false)]).why).toBeUndefined();
  });

  it('of "most" parts need enough of them', () => {
    const of = (...verdicts: (boolean | null)[]) =>
      atLeast(
        2,
        verdicts.map((agrees) => ({ name: 'A', judgement: { ours: '', agrees } })),
      ).agrees;
    expect(of(true, true, false)).toBe(true);
    expect(of(true, null, false)).toBeNull();
    expect(of(true, false, false)).toBe(false);
    expect(of()).toBe(false);
  });
});
