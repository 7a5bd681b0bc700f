import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BufferHoles } from './buffer-holes';

const range = (startMs: number, endMs: number) => ({ startMs, endMs });

describe('BufferHoles', () => {
  it('counts the buffer behind a skipped segment', () => {
    const holes = new BufferHoles();
    expect(holes.aheadMs('video', [range(0, 4000)], 1000)).toBeUndefined();
    holes.asked('video', range(2000, 4000), 1000);
    holes.asked('video', range(8000, 10_000), 1000);
    expect(holes.aheadMs('video', [range(0, 4000), range(8000, 10_000)], 1000)).toBe(5000);
    expect(holes.aheadMs('video', [range(0, 4000), range(8000, 10_000)], 5000)).toBe(2000);
    expect(holes.aheadMs('audio', [range(0, 4000), range(8000, 10_000)], 1000)).toBeUndefined();
  });

  it('does not count a seek as a hole, so the media in between is still fetched', () => {
    const holes = new BufferHoles();
    holes.asked('video', range(28_000, 30_000), 10_000);
    holes.asked('video', range(50_000, 52_000), 50_500);
    expect(holes.aheadMs('video', [range(0, 30_000), range(50_000, 52_000)], 20_000)).toBe(
      undefined,
    );
  });

  it('finds a hole at the waiting position, and one after a decoder reset', () => {
    const holes = new BufferHoles();
    holes.asked('video', range(2000, 4000), 1000);
    holes.asked('video', range(4000, 6000), 1000);
    holes.asked('video', range(0, 2000), 0);
    holes.asked('video', range(2000, 4000), 0);
    holes.asked('video', range(6000, 8000), 4000);
    expect(holes.aheadMs('video', [range(0, 4000), range(6000, 8000)], 4000)).toBe(2000);
  });

  it('forgets a hole when its segment is requested again', () => {
    const holes = new BufferHoles();
    holes.passed('video', range(4000, 6000));
    holes.asked('video', range(4000, 6000), 0);
    expect(holes.aheadMs('video', [range(0, 4000), range(6000, 8000)], 0)).toBeUndefined();
  });

  it('never counts more than the buffered media, and terminates', () => {
    const some = fc.array(
      fc.tuple(fc.nat(50), fc.nat(10)).map(([at, length]) => range(at * 500, (at + length) * 500)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(some, some, fc.nat(30_000), (ranges, passed, positionMs) => {
        const holes = new BufferHoles();
        for (const hole of passed) holes.passed('video', hole);
        const aheadMs = holes.aheadMs('video', ranges, positionMs) ?? 0;
        const buffered = ranges.reduce((sum, one) => sum + (one.endMs - one.startMs), 0);
        expect(aheadMs).toBeGreaterThanOrEqual(0);
        expect(aheadMs).toBeLessThanOrEqual(buffered + 250 * ranges.length);
      }),
    );
  });
});
