import { describe, expect, it } from 'vitest';
import { full, ms, pickFrom, subflow } from '../testing/subflow-states';
import { TpSty } from './tp-sty';

describe('TpSty', () => {
  // The path left has 20 segments in 20 ms.
  const slower = subflow(1, { srttNs: 90 * ms });
  const faster = subflow(1, { srttNs: 90 * ms, cwnd: 200 });

  it('comes back from a path that is injected into more slowly', () => {
    const scheduler = new TpSty();
    pickFrom(scheduler, [subflow(0), slower]);
    expect(pickFrom(scheduler, [full(0), slower])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), slower])).toBe(0);
    expect(scheduler.switches).toBe(0);
  });

  it('stays on one that is injected into faster, also where its round trip is shorter', () => {
    for (const other of [faster, subflow(1, { srttNs: 19 * ms })]) {
      const scheduler = new TpSty();
      pickFrom(scheduler, [subflow(0), full(1)]);
      expect(pickFrom(scheduler, [full(0), other])).toBe(1);
      expect(pickFrom(scheduler, [subflow(0), other])).toBe(1);
      expect(scheduler.switches).toBe(1);
    }
  });
});
