import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { RoundRobin } from './round-robin';

describe('RoundRobin', () => {
  const three = [subflow(0), subflow(1, { srttNs: 90 * MS }), subflow(2, { srttNs: 5 * MS })];

  it('takes turns, independent of round trips', () => {
    const turns = new RoundRobin();
    const picked = [1, 2, 3, 4, 5].map(() => pickFrom(turns, three));
    expect(picked).toEqual([0, 1, 2, 0, 1]);
  });

  it('skips a subflow whose window is full', () => {
    const turns = new RoundRobin();
    const gap = [subflow(0), full(1), subflow(2)];
    expect([1, 2, 3, 4].map(() => pickFrom(turns, gap))).toEqual([0, 2, 0, 2]);
  });
});
