import fc from 'fast-check';
import { expect, test } from 'vitest';
import { halving } from '.';

test('is 0.5 to the power of its argument', () => {
  expect([0, 1, 2, 10, Infinity].map(halving)).toEqual([1, 0.5, 0.25, 0.5 ** 10, 0]);
  expect(halving(NaN)).toBeNaN();
  fc.assert(
    fc.property(fc.double({ min: -50, max: 900, noNaN: true }), (x) => {
      expect(Math.abs(halving(x) / 0.5 ** x - 1)).toBeLessThan(1e-14);
    }),
  );
});

test('never rises', () => {
  const point = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(point, point, (a, b) => {
      expect(halving(Math.max(a, b))).toBeLessThanOrEqual(halving(Math.min(a, b)) * (1 + 1e-15));
    }),
  );
});
