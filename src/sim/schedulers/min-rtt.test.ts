import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { MinRtt } from './min-rtt';

describe('MinRtt', () => {
  const far = subflow(1, { srttNs: 90 * MS });

  it('takes the shortest round trip, in any position', () => {
    expect(pickFrom(new MinRtt(), [subflow(0), far])).toBe(0);
    expect(pickFrom(new MinRtt(), [subflow(0, { srttNs: 120 * MS }), far])).toBe(1);
  });

  it('takes the next subflow while that window is full, and returns', () => {
    const scheduler = new MinRtt();
    expect(pickFrom(scheduler, [full(0), far])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0, { room: 1 }), far])).toBe(0);
  });
});
