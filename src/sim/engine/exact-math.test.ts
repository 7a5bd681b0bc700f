import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosineOfTurns, cube, cubeRoot, square, threeQuarterPower } from './exact-math';

const positive = fc.double({ min: 1e-9, max: 1e9, noNaN: true });

/** Expects equality but for a few last bits. */
function expectClose(mine: number, theirs: number): void {
  expect(Math.abs(mine - theirs)).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(theirs)) * 4);
}

describe('exact math', () => {
  it('agrees with the engine’s functions', () => {
    fc.assert(
      fc.property(positive, (x) => {
        expectClose(square(x) / x ** 2, 1);
        expectClose(cube(x) / x ** 3, 1);
        expectClose(threeQuarterPower(x) / x ** 0.75, 1);
        expectClose(cubeRoot(x) / Math.cbrt(x), 1);
        expectClose(cubeRoot(-x) / Math.cbrt(-x), 1);
      }),
    );
    expect([cubeRoot(0), cubeRoot(8)]).toEqual([0, 2]);
  });

  it('computes the cosine for the whole turn', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (turns) => {
        expectClose(cosineOfTurns(turns), Math.cos(2 * Math.PI * turns));
      }),
    );
    expect([0, 0.5, 1].map(cosineOfTurns)).toEqual([1, -1, 1]);
  });
});
