import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { Ecf } from './ecf';

describe('Ecf', () => {
  const fast = full(0, { cwnd: 50, srttNs: 10 * MS });
  const slow = subflow(1, { srttNs: 300 * MS, cwnd: 10 });

  it('waits for the fast subflow at the end of a segment, but not in its middle', () => {
    expect(pickFrom(new Ecf(), [fast, slow], { unsentBytes: 20 * 1420 })).toBeUndefined();
    expect(pickFrom(new Ecf(), [fast, slow], { unsentBytes: 5e6 })).toBe(1);
  });

  it('does not wait if the slow subflow finishes before the fast one would', () => {
    // Two segments: 1/50 more rounds of 10 ms with the fast one, but the slow one's round trip is hardly longer.
    const near = subflow(1, { srttNs: 11 * MS, cwnd: 10 });
    expect(pickFrom(new Ecf(), [fast, near], { unsentBytes: 2 * 1420 })).toBe(1);
  });

  it('keeps waiting slightly beyond the threshold', () => {
    const at = (unsentBytes: number) => ({ unsentBytes });
    // (1 + left / 50) x 10 ms against 301 ms, with a quarter more once it waits: 1455 and 1831 segments.
    const between = at(1600 * 1420);
    expect(pickFrom(new Ecf(), [fast, slow], between)).toBe(1);
    const waiting = new Ecf();
    expect(pickFrom(waiting, [fast, slow], at(1400 * 1420))).toBeUndefined();
    expect(pickFrom(waiting, [fast, slow], between)).toBeUndefined();
    expect(pickFrom(waiting, [fast, slow], at(1900 * 1420))).toBe(1);
    expect(pickFrom(waiting, [fast, slow], between)).toBe(1);
  });
});
