import type { Random } from '../../core';

/** Position i: which option (from 1) gene i takes; 0: none. Algorithm 1 of the paper calls it a 1 x m vector of path IDs. */
export type Chromosome = readonly number[];

export interface GeneticSearchConfig {
  /** Chromosomes in a population. The paper took 28, 150 and 300 for networks of 11 to 20 switches. Example: 28. */
  populationSize: number;
  /** Paper, section IV.A: 30. */
  generations: number;
  /** Probability that a child changes one gene. Paper, section IV.A: 0.25. */
  mutationRate: number;
  /** Best chromosomes that live on unchanged. The paper leaves the number open. Example: 2. */
  eliteCount: number;
}

export const defaultGeneticSearchConfig: GeneticSearchConfig = {
  populationSize: 28,
  generations: 30,
  mutationRate: 0.25,
  eliteCount: 2,
};

/** What is searched: `options[i]` is the number of choices of gene i besides "none". */
export interface SearchSpace {
  options: readonly number[];
  /** To be made as large as possible; 0 for what must not be. */
  fitness(chromosome: Chromosome): number;
}

/**
 * The genetic algorithm of papers/genetic-path-selection, section III.C, Algorithms 1 to 3: random start without
 * what has fitness 0 (Algorithm 2), elitism (Algorithm 3, lines 9-11), tournaments of two (Algorithm 1, lines 6-15),
 * two-point crossover (lines 17-22), mutation (lines 24-26); after each round the fittest are kept.
 */
export function searchGenetically(
  space: SearchSpace,
  config: GeneticSearchConfig,
  random: Random,
): { best: Chromosome; fitness: number } {
  const size = Math.trunc(config.populationSize);
  const elites = Math.min(size, Math.trunc(config.eliteCount));
  const cache = new Map<string, number>();
  const fitness = (chromosome: Chromosome): number => {
    const key = chromosome.join();
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = space.fitness(chromosome);
    cache.set(key, value);
    return value;
  };
  // Ties go by content, so that equal populations give equal answers.
  const byFitness = (a: Chromosome, b: Chromosome): number =>
    fitness(b) - fitness(a) || (a.join() < b.join() ? -1 : a.join() > b.join() ? 1 : 0);
  let population = initialPopulation(space.options, size, fitness, random).sort(byFitness);
  for (let generation = 0; generation < Math.trunc(config.generations); generation += 1) {
    const parents = Array.from({ length: size }, () => {
      const [one, other] = [pick(population, random), pick(population, random)];
      return fitness(one) >= fitness(other) ? one : other;
    });
    const children: Chromosome[] = [];
    while (children.length < size) {
      const pair = crossAtTwoPoints(pick(parents, random), pick(parents, random), random);
      children.push(
        ...pair.map((child) =>
          random() < config.mutationRate ? mutate(child, space.options, random) : child,
        ),
      );
    }
    population = [...population.slice(0, elites), ...children].sort(byFitness).slice(0, size);
  }
  const best = population[0] ?? [];
  return { best, fitness: fitness(best) };
}

function initialPopulation(
  options: readonly number[],
  size: number,
  fitness: (chromosome: Chromosome) => number,
  random: Random,
): Chromosome[] {
  const found: Chromosome[] = [];
  for (let attempt = 0; attempt < 20 * size && found.length < size; attempt += 1) {
    const chromosome = options.map((count) => randomGene(count, random));
    if (fitness(chromosome) > 0) found.push(chromosome);
  }
  // Where nearly every combination is forbidden, start from single choices: those share nothing.
  for (let index = 0; found.length < size; index += 1) {
    const at = index % Math.max(1, options.length);
    found.push(options.map((count, i) => (i === at ? 1 + Math.floor(random() * count) : 0)));
  }
  return found;
}

function randomGene(count: number, random: Random): number {
  return Math.floor(random() * (count + 1));
}

function pick(from: readonly Chromosome[], random: Random): Chromosome {
  return from[Math.floor(random() * from.length)] ?? [];
}

/** The genes between two points change places (Fig. 2 of the paper). */
export function crossAtTwoPoints(
  one: Chromosome,
  other: Chromosome,
  random: Random,
): [Chromosome, Chromosome] {
  const cuts = [0, 0].map(() => Math.floor(random() * (one.length + 1)));
  const from = Math.min(...cuts);
  const to = Math.max(...cuts);
  const swap = (outer: Chromosome, inner: Chromosome): Chromosome => [
    ...outer.slice(0, from),
    ...inner.slice(from, to),
    ...outer.slice(to),
  ];
  return [swap(one, other), swap(other, one)];
}

function mutate(chromosome: Chromosome, options: readonly number[], random: Random): Chromosome {
  const at = Math.floor(random() * chromosome.length);
  return chromosome.map((gene, i) => (i === at ? randomGene(options[i] ?? 0, random) : gene));
}
