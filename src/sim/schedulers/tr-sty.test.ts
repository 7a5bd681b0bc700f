import { describe, expect, it } from 'vitest';
import { full, ms, pickFrom, subflow } from '../testing/subflow-states';
import { TrSty } from './tr-sty';

describe('TrSty', () => {
  const start = (): TrSty => {
    const scheduler = new TrSty();
    pickFrom(scheduler, [subflow(0), full(1)]);
    return scheduler;
  };

  it('comes back from a faster path whose round trip is shorter', () => {
    const scheduler = start();
    const nearer = subflow(1, { srttNs: 10 * ms, cwnd: 200 });
    expect(pickFrom(scheduler, [full(0), nearer])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), nearer])).toBe(0);
    expect(scheduler.switches).toBe(0);
  });

  it('stays on a faster path whose round trip is longer', () => {
    const scheduler = start();
    const farther = subflow(1, { srttNs: 60 * ms, cwnd: 200 });
    expect(pickFrom(scheduler, [full(0), farther])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), farther])).toBe(1);
    expect(scheduler.switches).toBe(1);
  });

  it('comes back from a slower path however long its round trip', () => {
    const scheduler = start();
    const slow = subflow(1, { srttNs: 60 * ms });
    expect(pickFrom(scheduler, [full(0), slow])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), slow])).toBe(0);
  });
});
