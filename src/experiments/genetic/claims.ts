import { estimate } from '../../report';
import { allOf } from '../estimate';
import type { ExperimentClaim } from '../types';
import { approachClaims } from './claims-approaches';
import { claimsOfClients } from './claims-clients';
import { orderClaims } from './claims-order';
import { pathClaims } from './claims-paths';
import { unselectedClaims } from './claims-unselected';
import { isOfSize, NOTHING } from './judgements';
import type { GeneticResults } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES, type TopologyName } from './switch-graph';

/** Fig. 10: 2.46 s over 0.5 s. */
const PAPER_GROWTH = 4.9;

/** The paper's statements beside the outcomes. */
export function geneticClaims(results: GeneticResults): ExperimentClaim[] {
  return [
    ...pathClaims(results),
    ...approachClaims(results),
    ...unselectedClaims(results),
    ...claimsOfClients(results),
    ...orderClaims(results),
    searchClaim(results),
  ];
}

/**
 * Judged by steps, which are the same on every machine. That they grow with the population is so by construction
 * and is not judged; the paper has seconds, which `npm run bench -- genetic` measures.
 */
function searchClaim(results: GeneticResults): ExperimentClaim {
  const growths = TOPOLOGY_NAMES.map((topology) => ({
    title: TOPOLOGY_TITLES[topology],
    factor: estimate(growthByTrial(results, topology)),
  })).filter(({ factor }) => factor.count > 0);
  const text = growths
    .map(({ title, factor }) => `${title} ${factor.mean?.toFixed(1) ?? '-'}`)
    .join(', ');
  return {
    place: 'Fig. 10',
    paper: 'Over all populations and topologies the time of a search varies by so many times',
    paperValue: `${PAPER_GROWTH} times (0.5 to 2.46 s)`,
    ours: growths.length > 0 ? `steps: ${text} times` : NOTHING,
    agrees: allOf(growths.map(({ factor }) => isOfSize(factor, PAPER_GROWTH))),
  };
}

/** Steps with the largest population over those with the smallest, for each trial with both. */
function growthByTrial({ searches }: GeneticResults, topology: TopologyName): number[] {
  const here = searches.filter(({ job }) => job.topology === topology);
  return [...new Set(here.map(({ job }) => job.seed))].flatMap((seed) => {
    const own = here
      .filter(({ job }) => job.seed === seed)
      .sort((one, other) => one.job.population - other.job.population);
    const [least, most] = [own[0], own.at(-1)];
    if (least === undefined || most === undefined || own.length < 2) return [];
    return [most.outcome.draws / least.outcome.draws];
  });
}
