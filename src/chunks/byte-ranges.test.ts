import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveredTimes, normalizeRanges, subtractRanges, totalBytes } from './byte-ranges';
import type { ByteRange } from './types';

const MAX_START = 60;
const ranges = fc.array(
  fc
    .record({ start: fc.nat(MAX_START), length: fc.nat(20) })
    .map(({ start, length }) => ({ start, end: start + length })),
  { maxLength: 8 },
);

function bytesIn(list: readonly ByteRange[]): number[] {
  return Array.from({ length: MAX_START + 20 }, (_, byte) => byte).filter((byte) =>
    list.some(({ start, end }) => byte >= start && byte < end),
  );
}

describe('byte ranges', () => {
  it('keep the same bytes when they are merged, sorted and disjoint', () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const merged = normalizeRanges(list);
        expect(bytesIn(merged)).toEqual(bytesIn(list));
        expect(totalBytes(merged)).toBe(bytesIn(list).length);
        merged.slice(1).forEach(({ start }, index) => {
          expect(start).toBeGreaterThan(merged[index]?.end ?? Infinity);
        });
      }),
    );
  });

  it('subtract: the bytes of a range outside all holes remain', () => {
    fc.assert(
      fc.property(ranges, fc.nat(MAX_START), fc.nat(30), (list, start, length) => {
        const range = { start, end: start + length };
        const holes = normalizeRanges(list);
        const inHoles = new Set(bytesIn(holes));
        const expected = bytesIn([range]).filter((byte) => !inHoles.has(byte));
        expect(bytesIn(subtractRanges(range, holes))).toEqual(expected);
      }),
    );
  });

  it('coveredTimes: the bytes that enough ranges contain', () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: 1, max: 3 }), (list, copies) => {
        const expected = bytesIn(list).filter(
          (byte) => list.filter(({ start, end }) => byte >= start && byte < end).length >= copies,
        );
        expect(bytesIn(coveredTimes(list, copies))).toEqual(expected);
      }),
    );
  });

  it('leaves out ranges that make no sense', () => {
    const odd = [
      { start: NaN, end: 4 },
      { start: 5, end: 3 },
      { start: -2, end: 3 },
      { start: 1, end: 2 },
    ];
    expect(normalizeRanges(odd)).toEqual([{ start: 1, end: 2 }]);
  });
});
