import { describe, expect, it } from 'vitest';
import { compare, type Sides } from './comparison';

const byTrial = (values: readonly number[]): ReadonlyMap<number, number> =>
  new Map(values.map((value, index) => [index + 1, value]));

/** A subject around `centre`, beside a rival of 100 in each trial. */
const around = (centre: number, spread: number, trials = 10): Sides => ({
  subject: {
    label: 'subject',
    values: byTrial(
      Array.from({ length: trials }, (_, index) => centre + (index % 2 === 0 ? spread : -spread)),
    ),
  },
  rival: { label: 'rival', values: byTrial(Array.from({ length: trials }, () => 100)) },
});

describe('compare', () => {
  it('agrees with a lead that excludes 0, and differs where a lead of 2 % is excluded', () => {
    expect(compare(around(101, 0.5), 'highest', 1).agrees).toBe(true);
    expect(compare(around(99, 0.5), 'highest', 1).agrees).toBe(false);
    // Level: no lead, and none of 2 %.
    expect(compare(around(100.1, 0.5), 'highest', 1).agrees).toBe(false);
    expect(compare(around(101, 5), 'highest', 1).agrees).toBeNull();
    expect(compare(around(99, 0.5), 'lowest', 1).agrees).toBe(true);
    expect(compare(around(101, 0.5), 'lowest', 1).agrees).toBe(false);
  });

  it('needs more against a statement of many comparisons, but not for it', () => {
    const behind = around(95, 7);
    expect(compare(behind, 'highest', 1).agrees).toBe(false);
    expect(compare(behind, 'highest', 50).agrees).toBeNull();
    const ahead = around(108, 7);
    expect(compare(ahead, 'highest', 50).agrees).toBe(true);
    expect(compare(ahead, 'highest', 50).gap).toEqual(compare(ahead, 'highest', 1).gap);
  });

  it('is near where the whole interval is within the share of the smaller value, on either side', () => {
    const rule = { within: 0.05 };
    expect(compare(around(103, 1), rule, 1).agrees).toBe(true);
    expect(compare(around(97, 1), rule, 1).agrees).toBe(true);
    expect(compare(around(110, 1), rule, 1).agrees).toBe(false);
    expect(compare(around(90, 1), rule, 1).agrees).toBe(false);
    expect(compare(around(105, 3), rule, 1).agrees).toBeNull();
    expect(compare({ ...around(20, 1), rival: 19 }, { within: 0.25 }, 1).agrees).toBe(true);
  });

  it('estimates trials that are enough indeed, and none against the means', () => {
    const { agrees, runs } = compare(around(103, 12), 'highest', 1);
    expect(agrees).toBeNull();
    expect(runs.toDiffer).toBe(Infinity);
    expect(compare(around(103, 12, 2 * Math.ceil(runs.toAgree / 2)), 'highest', 1).agrees).toBe(
      true,
    );
    const outside = compare(around(112, 12), { within: 0.05 }, 3).runs;
    expect(outside.toAgree).toBe(Infinity);
    const enough = around(112, 12, 2 * Math.ceil(outside.toDiffer / 2));
    expect(compare(enough, { within: 0.05 }, 3).agrees).toBe(false);
  });

  it('decides nothing from one trial', () => {
    expect(compare(around(200, 0, 1), 'highest', 11).agrees).toBeNull();
  });
});
