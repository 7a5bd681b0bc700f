import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naturalLog } from '.';

test('is the logarithm within a few last bits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (x) => {
      expect(Math.abs(naturalLog(x) - Math.log(x))).toBeLessThanOrEqual(
        4e-16 * Math.max(1, Math.abs(Math.log(x))) * 4,
      );
    }),
  );
  expect(naturalLog(1)).toBe(0);
});
