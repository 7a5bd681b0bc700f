import { describe, expect, it } from 'vitest';
import { full, ms, pickFrom, subflow } from '../testing/subflow-states';
import { RoundRobin } from './round-robin';

describe('RoundRobin', () => {
  const three = [subflow(0), subflow(1, { srttNs: 90 * ms }), subflow(2, { srttNs: 5 * ms })];

  it('takes turns, whatever the round trips are', () => {
    const turns = new RoundRobin();
    const picked = [1, 2, 3, 4, 5].map(() => pickFrom(turns, three));
    expect(picked).toEqual([0, 1, 2, 0, 1]);
  });

  it('passes over one whose window is full', () => {
    const turns = new RoundRobin();
    const gap = [subflow(0), full(1), subflow(2)];
    expect([1, 2, 3, 4].map(() => pickFrom(turns, gap))).toEqual([0, 2, 0, 2]);
  });
});
