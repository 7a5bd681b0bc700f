import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, quantiles, QuantileSketch } from '.';

const SHARES = [0, 0.05, 0.5, 0.9, 0.99, 1];

function sketchOf(values: readonly number[]): QuantileSketch {
  const sketch = new QuantileSketch();
  for (const value of values) sketch.add(value);
  return sketch;
}

describe('QuantileSketch', () => {
  it('is exact for a short stream', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (values) => {
        expect(sketchOf(values).quantiles(SHARES)).toEqual(quantiles(values, SHARES));
      }),
    );
  });

  it('stays within 1 % of a long stream of any sign, with exact ends', () => {
    const random = createRandom(3);
    const values = Array.from({ length: 50_000 }, (_, index) => {
      const spread = 10 ** (random() * 6 - 1);
      return index % 3 === 0 ? -spread : spread;
    });
    const found = sketchOf(values).quantiles(SHARES);
    const exact = quantiles(values, SHARES);
    for (const [index, value] of exact.entries()) {
      expect(Math.abs((found[index] ?? 0) - value)).toBeLessThanOrEqual(0.02 * Math.abs(value));
    }
    expect([found.at(0), found.at(-1)]).toEqual([exact.at(0), exact.at(-1)]);
  });

  it('keeps a bounded number of values, whatever is added', () => {
    const sketch = new QuantileSketch();
    const random = createRandom(5);
    for (let index = 0; index < 200_000; index += 1) {
      sketch.add((random() - 0.5) * 10 ** (random() * 600 - 300));
    }
    for (const value of [NaN, Infinity, -Infinity]) sketch.add(value);
    expect(sketch.count).toBe(200_000);
    expect(sketch.size).toBeLessThan(13_000);
  });
});
