import { describe, expect, it } from 'vitest';
import { full, MS, pickFrom, subflow } from '../testing/subflow-states';
import { Blest } from './blest';

describe('Blest', () => {
  const fast = full(0, { cwnd: 50, srttNs: 10 * MS });
  const slow = subflow(1, { srttNs: 200 * MS, cwnd: 10 });

  it('skips the slow subflow while the fast one could fill the buffer meanwhile', () => {
    // In 200 MS the fast one sends (50 + 9.5) x 20 segments, 1.7 MB.
    expect(pickFrom(new Blest(), [fast, slow], { bufferBytes: 1e6 })).toBeUndefined();
    expect(pickFrom(new Blest(), [fast, slow], { bufferBytes: 6e6 })).toBe(1);
  });

  it('requires more space after the window was blocked', () => {
    const scheduler = new Blest();
    const bufferBytes = 1.9e6;
    expect(pickFrom(scheduler, [fast, slow], { bufferBytes })).toBe(1);
    // Blocked in five rounds: the correction reaches its maximum of 1.3, and 1.7 MB become 2.2.
    const open = subflow(0, { cwnd: 50, srttNs: 10 * MS });
    for (let round = 1; round <= 5; round += 1) {
      pickFrom(scheduler, [open, slow], { bufferBytes, windowBytes: 0, nowNs: round * 10 * MS });
    }
    const nowNs = 55 * MS;
    expect(pickFrom(scheduler, [fast, slow], { bufferBytes, nowNs })).toBeUndefined();
  });

  it('prefers the fast subflow while its window has space', () => {
    const open = subflow(0, { cwnd: 50, srttNs: 10 * MS, room: 1 });
    expect(pickFrom(new Blest(), [slow, open], { bufferBytes: 6e6 })).toBe(0);
  });
});
