import { mean } from '../../core';
import type { ExperimentClaim } from '../types';
import { approachClaims } from './claims-approaches';
import { claimsOfClients } from './claims-clients';
import { pathClaims } from './claims-paths';
import { unselectedClaims } from './claims-unselected';
import { NOTHING } from './judgements';
import type { GeneticResults } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES, type TopologyName } from './switch-graph';

/** Fig. 10: 2.46 s over 0.5 s. */
const PAPER_GROWTH = 4.9;
/** A size agrees from half to twice the paper's. */
const SIZE_FACTOR = 2;

/** The paper's statements beside the outcomes. */
export function geneticClaims(results: GeneticResults): ExperimentClaim[] {
  return [
    ...pathClaims(results),
    ...approachClaims(results),
    ...unselectedClaims(results),
    ...claimsOfClients(results),
    searchClaim(results),
  ];
}

/**
 * Judged by steps, which are the same on every machine. That they grow with the population is so by construction
 * and is not judged; the paper has seconds, which `npm run bench -- genetic` measures.
 */
function searchClaim(results: GeneticResults): ExperimentClaim {
  const growths = TOPOLOGY_NAMES.flatMap((topology) => {
    const steps = stepsByPopulation(results, topology);
    const [least, most] = [steps[0], steps.at(-1)];
    if (least === undefined || most === undefined || steps.length < 2) return [];
    return [{ topology, factor: most / least }];
  });
  const text = growths
    .map(({ topology, factor }) => `${TOPOLOGY_TITLES[topology]} ${factor.toFixed(1)}`)
    .join(', ');
  return {
    place: 'Fig. 10',
    paper: 'From the smallest population to the largest the time of a search grows so many times',
    paperValue: `${PAPER_GROWTH} times (0.5 to 2.46 s)`,
    ours: growths.length > 0 ? `steps: ${text} times` : NOTHING,
    agrees:
      growths.length > 0
        ? growths.every(
            ({ factor }) =>
              factor > PAPER_GROWTH / SIZE_FACTOR && factor < PAPER_GROWTH * SIZE_FACTOR,
          )
        : null,
  };
}

/** Mean steps of a search, smallest population first. */
function stepsByPopulation({ searches }: GeneticResults, topology: TopologyName): number[] {
  const here = searches.filter(({ job }) => job.topology === topology);
  const populations = [...new Set(here.map(({ job }) => job.population))].sort((a, b) => a - b);
  return populations.map(
    (population) =>
      mean(
        here.filter(({ job }) => job.population === population).map(({ outcome }) => outcome.draws),
      ) ?? 0,
  );
}
