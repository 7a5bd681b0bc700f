import { describe, expect, it } from 'vitest';
import { commonFinishMs } from './water-fill';

describe('commonFinishMs', () => {
  it('adds the rates of workers from the time each one is ready', () => {
    const workers = [
      { rateBps: 4e6, readyMs: 0 },
      { rateBps: 2e6, readyMs: 300 },
    ];
    // 300 ms at 4 Mbit/s, then both: 150 kB + 600 ms at 6 Mbit/s.
    expect(commonFinishMs(workers, 600_000)).toBeCloseTo(900);
  });

  it('leaves out a worker that is ready too late', () => {
    const fast = { rateBps: 8e6, readyMs: 20 };
    const late = { rateBps: 8e6, readyMs: 5000 };
    expect(commonFinishMs([late, fast], 100_000)).toBeCloseTo(120);
  });

  it('never ends without workers', () => {
    expect(commonFinishMs([], 1)).toBe(Infinity);
  });
});
