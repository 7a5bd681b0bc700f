import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { TrSty } from './sticky';

describe('TrSty', () => {
  const start = (): TrSty => {
    const scheduler = new TrSty();
    pickFrom(scheduler, [subflow(0), full(1)]);
    return scheduler;
  };

  it('returns from a faster path whose round trip is shorter', () => {
    const scheduler = start();
    const nearer = subflow(1, { srttNs: 10 * MS, cwnd: 200 });
    expect(pickFrom(scheduler, [full(0), nearer])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), nearer])).toBe(0);
    expect(scheduler.switches).toBe(0);
  });

  it('stays on a faster path whose round trip is longer', () => {
    const scheduler = start();
    const farther = subflow(1, { srttNs: 60 * MS, cwnd: 200 });
    expect(pickFrom(scheduler, [full(0), farther])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), farther])).toBe(1);
    expect(scheduler.switches).toBe(1);
  });

  it('returns from a slower path, whatever its round trip', () => {
    const scheduler = start();
    const slow = subflow(1, { srttNs: 60 * MS });
    expect(pickFrom(scheduler, [full(0), slow])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), slow])).toBe(0);
  });
});
