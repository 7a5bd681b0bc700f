import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../core';
import {
  crossAtTwoPoints,
  defaultGeneticSearchConfig as config,
  searchGenetically,
} from './genetic-search';

describe('genetic search', () => {
  test('finds the best of all combinations, or nearly, from any seed', () => {
    // Five genes of four options: 3125 combinations, of which 28 * 31 at most are evaluated.
    const options = [4, 4, 4, 4, 4];
    let optimal = 0;
    for (let seed = 0; seed < 40; seed += 1) {
      const worth = createRandom(1000 + seed);
      const table = options.map((count) => Array.from({ length: count + 1 }, () => worth()));
      const fitness = (genes: readonly number[]) =>
        genes.reduce((sum, gene, i) => sum + (table[i]?.[gene] ?? 0), 0);
      const best = table.reduce((sum, row) => sum + Math.max(...row), 0);
      const found = searchGenetically({ options, fitness }, config, createRandom(seed));
      expect(found.fitness).toBeGreaterThan(0.9 * best);
      if (found.fitness > best - 1e-9) optimal += 1;
    }
    expect(optimal).toBeGreaterThanOrEqual(30);
  });

  test('with few of all combinations evaluated, the fitter parents pay', () => {
    // Twenty genes of four options. Random choice of the same number reaches 0.81 of the best, parents
    // without tournament 0.90.
    const options = Array.from({ length: 20 }, () => 4);
    let sum = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const worth = createRandom(1000 + seed);
      const table = options.map((count) => Array.from({ length: count + 1 }, () => worth()));
      const fitness = (genes: readonly number[]) =>
        genes.reduce((total, gene, i) => total + (table[i]?.[gene] ?? 0), 0);
      const best = table.reduce((total, row) => total + Math.max(...row), 0);
      sum += searchGenetically({ options, fitness }, config, createRandom(seed)).fitness / best;
    }
    expect(sum / 20).toBeGreaterThan(0.95);
  });

  test('never loses the best: elites survive', () => {
    const options = [3, 3, 3, 3];
    const fitness = (genes: readonly number[]) => 1 + genes.join('').split('3').length;
    const after = (generations: number) =>
      searchGenetically(
        { options, fitness },
        { ...config, populationSize: 6, mutationRate: 1, generations },
        createRandom(3),
      ).fitness;
    const course = [1, 2, 3, 5, 8, 13, 21, 34].map(after);
    expect([...course].sort((a, b) => a - b)).toEqual(course);
  });

  test('the same seed gives the same answer; with all combinations forbidden it still answers', () => {
    const space = { options: [2, 2], fitness: (genes: readonly number[]) => (genes[0] ?? 0) + 0.5 };
    const run = () => searchGenetically(space, config, createRandom(9));
    expect(run()).toEqual(run());
    const none = searchGenetically({ ...space, fitness: () => 0 }, config, createRandom(9));
    expect(none.best).toHaveLength(2);
    expect(
      searchGenetically({ options: [], fitness: () => 0 }, config, createRandom(1)).best,
    ).toEqual([]);
  });

  test('crossover swaps one range of genes and loses none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer(), (length, seed) => {
        const one = Array.from({ length }, (_, i) => i);
        const other = one.map((gene) => gene + 100);
        const [left, right] = crossAtTwoPoints(one, other, createRandom(seed));
        const swapped = left.map((gene) => gene >= 100);
        expect(left.map((gene) => gene % 100)).toEqual(one);
        expect(right.map((gene) => gene >= 100)).toEqual(swapped.map((yes) => !yes));
        const borders = swapped.filter((yes, i) => yes !== (swapped[i - 1] ?? false)).length;
        expect(borders).toBeLessThanOrEqual(2);
      }),
    );
  });
});
