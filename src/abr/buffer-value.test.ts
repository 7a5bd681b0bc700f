import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Corner } from '../core';
import { interpolate } from './testing/interpolate';
import { bufferValue } from './buffer-value';

const corners: Corner[] = [
  [0, 0.8],
  [0.2, 0.4],
  [0.5, 0.1],
  [1, 0],
];

describe('the value of a buffer', () => {
  test('is the area under the corners', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 3, noNaN: true }), (to) => {
        const steps = 2000;
        let area = 0;
        for (let i = 0; i < steps; i += 1) {
          area += (interpolate(corners, ((i + 0.5) * to) / steps) * to) / steps;
        }
        expect(bufferValue(corners, to)).toBeCloseTo(area, 5);
      }),
    );
  });

  test('is zero without buffer or corners, and stays flat behind the last one', () => {
    const flat = (to: number): number =>
      bufferValue(
        [
          [0, 1],
          [1, 0.5],
        ],
        to,
      );
    expect(flat(0)).toBe(0);
    expect(flat(-1)).toBe(0);
    expect(flat(1)).toBe(0.75);
    expect(flat(3)).toBe(1.75);
    expect(bufferValue([], 5)).toBe(0);
  });
});
