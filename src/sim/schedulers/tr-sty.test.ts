import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { TrSty, TrStyPrinted, type TpSty } from './sticky';

const started = <S extends TpSty>(scheduler: S): S => {
  pickFrom(scheduler, [subflow(0), full(1)]);
  return scheduler;
};
const nearer = subflow(1, { srttNs: 10 * MS, cwnd: 200 });
const farther = subflow(1, { srttNs: 60 * MS, cwnd: 200 });

describe('TrSty', () => {
  it('stays on a faster path whose round trip is shorter', () => {
    const scheduler = started(new TrSty());
    expect(pickFrom(scheduler, [full(0), nearer])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), nearer])).toBe(1);
    expect(scheduler.switches).toBe(1);
  });

  it('returns from a faster path whose round trip is longer, or the same', () => {
    for (const other of [farther, subflow(1, { cwnd: 200 })]) {
      const scheduler = started(new TrSty());
      expect(pickFrom(scheduler, [full(0), other])).toBe(1);
      expect(pickFrom(scheduler, [subflow(0), other])).toBe(0);
      expect(scheduler.switches).toBe(0);
    }
  });

  it('returns from a slower path, even with a shorter round trip', () => {
    const scheduler = started(new TrSty());
    const slow = subflow(1, { srttNs: 10 * MS, cwnd: 5 });
    expect(pickFrom(scheduler, [full(0), slow])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), slow])).toBe(0);
  });
});

describe('TrStyPrinted', () => {
  it('stays on a faster path only if its round trip is longer', () => {
    const far = started(new TrStyPrinted());
    pickFrom(far, [full(0), farther]);
    expect(pickFrom(far, [subflow(0), farther])).toBe(1);
    const near = started(new TrStyPrinted());
    pickFrom(near, [full(0), nearer]);
    expect(pickFrom(near, [subflow(0), nearer])).toBe(0);
  });

  it('returns from a slower path, whatever its round trip', () => {
    const scheduler = started(new TrStyPrinted());
    const slow = subflow(1, { srttNs: 60 * MS });
    expect(pickFrom(scheduler, [full(0), slow])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), slow])).toBe(0);
  });
});
