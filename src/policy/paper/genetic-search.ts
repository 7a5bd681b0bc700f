import type { Random } from '../../core';

/** Attempts for each member of the first population; few valid paths must not make the search endless. */
const ATTEMPTS_PER_MEMBER = 20;

/**
 * Position i: the option (from 1) of gene i; 0: none. Algorithm 1 of the paper calls it a 1 x m vector of
 * path IDs.
 */
export type Chromosome = readonly number[];

export interface GeneticSearchConfig {
  /** Chromosomes in a population. The paper took 28, 150 and 300 for networks of 11 to 20 switches. Example: 28. */
  populationSize: number;
  /** Paper, section IV-A: 30. */
  generations: number;
  /** Probability that a child changes one gene. Paper, section IV-A: 0.25. */
  mutationRate: number;
  /** Best chromosomes that survive unchanged. The paper leaves the number open. Example: 2. */
  eliteCount: number;
}

export const defaultGeneticSearchConfig: GeneticSearchConfig = {
  populationSize: 28,
  generations: 30,
  mutationRate: 0.25,
  eliteCount: 2,
};

/** The search space: `options[i]` is the number of choices of gene i besides "none". */
export interface SearchSpace {
  options: readonly number[];
  /** The value to maximize. 0 for a forbidden combination. */
  fitness(chromosome: Chromosome): number;
}

/**
 * The genetic algorithm of Bikas and Sayit, section III-C, Algorithms 1 to 3. It starts at
 * random without chromosomes of fitness 0 (Algorithm 2). Each round applies elitism (Algorithm 3, lines
 * 9-11), tournaments of two (Algorithm 1, lines 6-15), two-point crossover (lines 17-22) and mutation (lines
 * 24-26). After each round the fittest are kept.
 */
export function searchGenetically(
  space: SearchSpace,
  config: GeneticSearchConfig,
  random: Random,
): { best: Chromosome; fitness: number } {
  const size = Math.trunc(config.populationSize);
  const elites = Math.min(size, Math.trunc(config.eliteCount));
  const rate = rater(space);
  let population = initialPopulation(space.options, size, rate, random).sort(byFitness);
  for (let generation = 0; generation < Math.trunc(config.generations); generation += 1) {
    const parents = Array.from({ length: size }, () => {
      const one = pick(population, random);
      const other = pick(population, random);
      return one.fitness >= other.fitness ? one : other;
    });
    const children: Rated[] = [];
    while (children.length < size) {
      const [one, other] = [pick(parents, random), pick(parents, random)];
      for (const child of crossAtTwoPoints(one.genes, other.genes, random)) {
        const changes = random() < config.mutationRate;
        children.push(rate(changes ? mutate(child, space.options, random) : child));
      }
    }
    population = [...population.slice(0, elites), ...children].sort(byFitness).slice(0, size);
  }
  const best = population[0] ?? rate([]);
  return { best: best.genes, fitness: best.fitness };
}

interface Rated {
  genes: Chromosome;
  fitness: number;
  key: string;
}

/** Fittest first. Ties are ordered by content, so that equal populations give equal answers. */
function byFitness(a: Rated, b: Rated): number {
  return b.fitness - a.fitness || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** Evaluates chromosomes, each one once. */
function rater(space: SearchSpace): (genes: Chromosome) => Rated {
  const seen = new Map<string, Rated>();
  return (genes) => {
    const key = genes.join();
    const known = seen.get(key);
    if (known) return known;
    const rated = { genes, key, fitness: space.fitness(genes) };
    seen.set(key, rated);
    return rated;
  };
}

function initialPopulation(
  options: readonly number[],
  size: number,
  rate: (genes: Chromosome) => Rated,
  random: Random,
): Rated[] {
  const found: Rated[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_PER_MEMBER * size && found.length < size; attempt += 1) {
    const rated = rate(options.map((count) => randomGene(count, random)));
    if (rated.fitness > 0) found.push(rated);
  }
  // If nearly every combination is forbidden, starts from single choices: those share nothing.
  for (let index = 0; found.length < size; index += 1) {
    const at = index % Math.max(1, options.length);
    const single = options.map((count, i) => (i === at ? 1 + Math.floor(random() * count) : 0));
    found.push(rate(single));
  }
  return found;
}

function randomGene(count: number, random: Random): number {
  return Math.floor(random() * (count + 1));
}

/** One of a population, which is never empty. */
function pick(from: readonly Rated[], random: Random): Rated {
  const picked = from[Math.floor(random() * from.length)];
  return picked ?? { genes: [], key: '', fitness: 0 };
}

/** Swaps the genes between two points (Fig. 2 of the paper). */
export function crossAtTwoPoints(
  one: Chromosome,
  other: Chromosome,
  random: Random,
): [Chromosome, Chromosome] {
  const a = Math.floor(random() * (one.length + 1));
  const b = Math.floor(random() * (one.length + 1));
  const left = [...one];
  const right = [...other];
  for (let i = Math.min(a, b); i < Math.max(a, b); i += 1) {
    left[i] = other[i] ?? 0;
    right[i] = one[i] ?? 0;
  }
  return [left, right];
}

function mutate(chromosome: Chromosome, options: readonly number[], random: Random): Chromosome {
  const at = Math.floor(random() * chromosome.length);
  const mutant = [...chromosome];
  if (at < mutant.length) mutant[at] = randomGene(options[at] ?? 0, random);
  return mutant;
}
