import { clamp } from '../../core';
import { searchGenetically, type Chromosome, type GeneticSearchConfig } from '../../policy';
import type { Choice, CountedSelection, LinkView, PathView } from './selection';
import { commonLinks } from './switch-paths';

export interface GeneticSelectionConfig extends GeneticSearchConfig {
  /** alpha of equation 7. The paper does not state it. Example: 0.5. */
  delayWeight: number;
  /** beta of equation 7. Example: 0.5. */
  bandwidthWeight: number;
  /**
   * thr_cong of equation 3: utilisation up to which two paths may share a link. The paper does not state it.
   * Example: 0.7.
   */
  congestedShare: number;
  /** Divisor of the available bandwidth in equation 9: the clients of each link, or of the whole path. */
  sharedBy: 'link' | 'path';
  /** thr_delay of equation 4, one way. The paper does not state it. Example: 150 ms (ITU-T G.114). */
  maxDelayMs: number;
}

/** Mutation and generations of section IV-A; elites and weights are not stated. */
export const geneticSelectionConfig: Omit<GeneticSelectionConfig, 'populationSize'> = {
  generations: 30,
  mutationRate: 0.25,
  eliteCount: 2,
  delayWeight: 0.5,
  bandwidthWeight: 0.5,
  congestedShare: 0.7,
  maxDelayMs: 150,
  sharedBy: 'link',
};

/**
 * The paper's path selection (section III-C): one gene per subflow, its value a path or none; the search
 * itself is the player's (`src/policy`). Paths that are too long are excluded first (Algorithm 2), unless
 * all are.
 */
export function selectGenetically(
  { paths, links, subflows, random }: Choice,
  config: GeneticSelectionConfig,
): CountedSelection {
  const near = paths.flatMap((path, at) => (path.delayMs <= config.maxDelayMs ? [at] : []));
  const allowed = near.length > 0 ? near : paths.map((_, at) => at);
  const candidates = allowed.flatMap((at) => paths[at] ?? []);
  const rate = rating(candidates, links, subflows, config);
  let evaluations = 0;
  let draws = 0;
  const found = searchGenetically(
    {
      options: Array.from({ length: subflows }, () => candidates.length),
      fitness: (chromosome) => {
        evaluations += 1;
        return rate(decode(chromosome));
      },
    },
    config,
    () => {
      draws += 1;
      return random();
    },
  );
  const chosen = decode(found.best).flatMap((index) => allowed[index] ?? []);
  return {
    paths: chosen.length > 0 ? chosen : [allowed[0] ?? 0],
    evaluations,
    draws,
    fitness: found.fitness,
  };
}

/** The distinct paths of a chromosome: a second subflow over the same path gains nothing. */
function decode(chromosome: Chromosome): number[] {
  return [...new Set(chromosome.filter((gene) => gene > 0).map((gene) => gene - 1))];
}

/**
 * Equation 7, with both parts scaled to 0..1: alpha * (1 - delay differences (8) over their maximum) + beta *
 * bandwidth (9) over its maximum. 0 if a link that two paths share is congested.
 */
function rating(
  paths: readonly PathView[],
  links: readonly LinkView[],
  subflows: number,
  config: GeneticSelectionConfig,
): (chosen: readonly number[]) => number {
  const shares = paths.map((path) =>
    config.sharedBy === 'link' ? shareBps(path, links) : path.availableBps / (path.clients + 1),
  );
  const maxBps = [...shares]
    .sort((a, b) => b - a)
    .slice(0, subflows)
    .reduce((sum, share) => sum + share, 0);
  const delays = paths.map(({ delayMs }) => delayMs);
  const apartMs = Math.max(...delays) - Math.min(...delays);
  const pairs = (subflows * (subflows - 1)) / 2;
  return (chosen) => {
    if (chosen.length === 0) return 0;
    let differenceMs = 0;
    for (const [i, one] of chosen.entries()) {
      for (const other of chosen.slice(i + 1)) {
        if (meetInCongestion(paths[one], paths[other], links, config.congestedShare)) return 0;
        differenceMs += Math.abs((delays[one] ?? 0) - (delays[other] ?? 0));
      }
    }
    const bandwidth = chosen.reduce((sum, index) => sum + (shares[index] ?? 0), 0);
    const likeness = apartMs > 0 && pairs > 0 ? 1 - differenceMs / (apartMs * pairs) : 1;
    const width = maxBps > 0 ? clamp(bandwidth / maxBps, 0, 1) : chosen.length / subflows;
    return config.delayWeight * likeness + config.bandwidthWeight * width;
  };
}

/**
 * A term of equation 9: available bandwidth divided by the number of clients, this one included. The paper
 * counts the clients of the path. By default they are counted per link, because clients at different switches
 * hardly ever share whole paths.
 */
function shareBps(path: PathView, links: readonly LinkView[]): number {
  const shares = path.links.map((link) => {
    const { rateBps, usedBps, clients } = links[link] ?? { rateBps: 0, usedBps: 0, clients: 0 };
    return Math.max(0, rateBps - usedBps) / (clients + 1);
  });
  return Math.min(...shares);
}

function meetInCongestion(
  one: PathView | undefined,
  other: PathView | undefined,
  links: readonly LinkView[],
  limit: number,
): boolean {
  if (one === undefined || other === undefined) return false;
  return commonLinks(one, other).some((link) => {
    const view = links[link];
    return view !== undefined && view.usedBps > limit * view.rateBps;
  });
}
