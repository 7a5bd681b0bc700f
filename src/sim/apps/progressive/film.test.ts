import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFilm, type Film } from './film';

const paper = { lengthMs: 624_000, rateBps: 5_240_000, framesPerSecond: 24, seed: 1 };

function sizes({ endBytes }: Film): number[] {
  return endBytes.map((end, index) => end - (endBytes[index - 1] ?? 0));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('createFilm', () => {
  it('has the requested duration and size for every seed', () => {
    const spec = fc.record({
      lengthMs: fc.integer({ min: 500, max: 20_000 }),
      rateBps: fc.integer({ min: 100_000, max: 10_000_000 }),
      framesPerSecond: fc.constantFrom(24, 25, 30),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(spec, (given) => {
        const film = createFilm(given);
        expect(film.endBytes.length).toBe(
          Math.round((given.lengthMs * given.framesPerSecond) / 1000),
        );
        expect(film.endBytes.at(-1)).toBe(Math.round((given.rateBps * given.lengthMs) / 8000));
        for (const size of sizes(film)) expect(size).toBeGreaterThanOrEqual(100);
      }),
      { numRuns: 50 },
    );
  });

  it('has I pictures larger than P, P larger than B, and scenes of different levels', () => {
    const all = sizes(createFilm(paper));
    expect(all.length).toBe(14_976);
    const every = (places: number[]): number[] =>
      all.filter((_, index) => places.includes(index % 12));
    const i = meanOf(every([0]));
    const p = meanOf(every([3, 6, 9]));
    const b = meanOf(every([1, 2, 4, 5, 7, 8, 10, 11]));
    expect(i / b).toBeCloseTo(5, 0);
    expect(p / b).toBeCloseTo(2.5, 0);
    const stretches = Array.from({ length: 208 }, (_, at) =>
      meanOf(all.slice(72 * at, 72 * at + 72)),
    );
    const mean = meanOf(stretches);
    const deviation = Math.sqrt(meanOf(stretches.map((value) => (value - mean) ** 2)));
    expect(deviation / mean).toBeGreaterThan(0.16);
    expect(deviation / mean).toBeLessThan(0.21);
  });

  it('is equal for equal seeds and differs for others', () => {
    expect(createFilm(paper)).toEqual(createFilm(paper));
    expect(createFilm({ ...paper, seed: 2 })).not.toEqual(createFilm(paper));
  });

  it('refuses an empty film', () => {
    expect(() => createFilm({ ...paper, lengthMs: 10 })).toThrow(RangeError);
    expect(() => createFilm({ ...paper, rateBps: 20_000 })).toThrow(/20000 bit\/s/);
  });
});
