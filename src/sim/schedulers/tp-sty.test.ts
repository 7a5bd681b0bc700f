import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { TpSty } from './sticky';

describe('TpSty', () => {
  // The path left has 20 segments in 20 MS.
  const slower = subflow(1, { srttNs: 90 * MS });
  const faster = subflow(1, { srttNs: 90 * MS, cwnd: 200 });

  it('returns from a path with a lower injection rate', () => {
    const scheduler = new TpSty();
    pickFrom(scheduler, [subflow(0), slower]);
    expect(pickFrom(scheduler, [full(0), slower])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), slower])).toBe(0);
    expect(scheduler.switches).toBe(0);
  });

  it('stays on a path with a higher injection rate, even with a shorter round trip', () => {
    for (const other of [faster, subflow(1, { srttNs: 19 * MS })]) {
      const scheduler = new TpSty();
      pickFrom(scheduler, [subflow(0), full(1)]);
      expect(pickFrom(scheduler, [full(0), other])).toBe(1);
      expect(pickFrom(scheduler, [subflow(0), other])).toBe(1);
      expect(scheduler.switches).toBe(1);
    }
  });
});
