import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { GrSty } from './sticky';

describe('GrSty', () => {
  const far = subflow(1, { srttNs: 90 * MS });

  it('begins on the shortest round trip', () => {
    expect(pickFrom(new GrSty(), [far, subflow(2)])).toBe(2);
  });

  it('stays on the path it had to move to, whatever its round trip', () => {
    const scheduler = new GrSty();
    pickFrom(scheduler, [subflow(0), far]);
    expect(pickFrom(scheduler, [full(0), far])).toBe(1);
    expect(pickFrom(scheduler, [subflow(0), far])).toBe(1);
    expect(scheduler.switches).toBe(1);
  });

  it('leaves that path when its window is full, too', () => {
    const scheduler = new GrSty();
    pickFrom(scheduler, [subflow(0), far]);
    pickFrom(scheduler, [full(0), far]);
    expect(pickFrom(scheduler, [subflow(0), full(1)])).toBe(0);
    expect(pickFrom(scheduler, [subflow(0), far])).toBe(0);
    expect(scheduler.switches).toBe(2);
  });

  it('moves on when its path closes', () => {
    const scheduler = new GrSty();
    pickFrom(scheduler, [subflow(0), far]);
    expect(pickFrom(scheduler, [far])).toBe(1);
  });
});
