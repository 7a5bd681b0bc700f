import { estimate } from '../../report';
import { allOf, isWithin } from '../estimate';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import { APPROACH_TITLES, COMPARED, type Approach } from './approaches';
import {
  comparisonText,
  contrary,
  isLessIn,
  isMoreIn,
  judgeEach,
  NOTHING,
  part,
  type Comparison,
  type Part,
} from './judgements';
import { CLIENT_COUNTS } from './link-values';
import { DEFAULT_CLIENT } from './plan';
import type { GeneticResults, RunFilter, RunMetric } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES } from './switch-graph';

/** Length of the paper's film; counts of switches are for all of it. */
const PAPER_FILM_MS = 540_000;
/** Largest number of bitrate switches that the paper reports with the genetic selection. */
const PAPER_SWITCHES = 29;
/** Bitrates of the genetic selection in the paper's text, kbit/s. */
const PAPER_RANGE = [2200, 2600] as const;

/** Place and wording of a comparison, for each metric. */
const SAYINGS = [
  { metric: 'bitrate', place: 'Fig. 4', says: 'streams a higher bitrate than', isMore: true },
  { metric: 'switches', place: 'Fig. 5', says: 'switches less than', isMore: false },
  { metric: 'outage', place: 'Fig. 6', says: 'has shorter outages than', isMore: false },
] as const;

/** Figs. 4 to 6: the genetic selection beside the others. */
export function pathClaims(results: GeneticResults): ExperimentClaim[] {
  return [
    ...claimsAgainstOthers(results),
    ...claimsAgainstEach(results),
    everyNetwork(results),
    everyTopology(results),
    rangeClaim(results),
    switchesClaim(results),
  ];
}

/** "Outperforms the other approaches": beside all of them together, over all networks. */
export const claimsAgainstOthers = (results: GeneticResults): ExperimentClaim[] =>
  against(results, COMPARED, 'the other approaches, pooled');

const claimsAgainstEach = (results: GeneticResults): ExperimentClaim[] =>
  COMPARED.flatMap((other) => against(results, [other], APPROACH_TITLES[other].toLowerCase()));

function against(
  results: GeneticResults,
  others: readonly Approach[],
  who: string,
): ExperimentClaim[] {
  return SAYINGS.map(({ metric, place, says, isMore }) => {
    const comparison = besideGenetic(results, metric, DEFAULT_CLIENT, others);
    return {
      place,
      paper: `Genetic ${says} ${who}`,
      ours: comparisonText(comparison),
      agrees: isMore ? isMoreIn(comparison) : isLessIn(comparison),
    };
  });
}

/** The genetic selection, and each of some others as the reference. */
export function besideGenetic(
  results: GeneticResults,
  metric: RunMetric,
  where: RunFilter,
  others: readonly Approach[],
): Comparison {
  return besideEach(results, metric, where, ['genetic'], others);
}

/** Each of some approaches, and each of some others as the reference. */
export function besideEach(
  results: GeneticResults,
  metric: RunMetric,
  where: RunFilter,
  ours: readonly Approach[],
  reference: readonly Approach[],
): Comparison {
  const pairs = ours.flatMap((approach) =>
    reference.flatMap((other) => results.compare(metric, where, { approach }, { approach: other })),
  );
  return { metric, pairs };
}

/** The genetic selection beside each other one, in each of some settings. */
export function partsAgainstEach(
  results: GeneticResults,
  metric: RunMetric,
  settings: readonly { name: string; where: RunFilter }[],
): Part[] {
  return settings.flatMap(({ name, where }) =>
    COMPARED.flatMap((other) => {
      const comparison = besideGenetic(results, metric, where, [other]);
      if (comparison.pairs.length === 0) return [];
      const title = `${name}, ${APPROACH_TITLES[other].toLowerCase()}`;
      return [part(title, comparison, metric === 'bitrate')];
    }),
  );
}

function everyNetwork(results: GeneticResults): ExperimentClaim {
  const settings = TOPOLOGY_NAMES.flatMap((topology) =>
    CLIENT_COUNTS.map((clients) => ({
      name: `${TOPOLOGY_TITLES[topology]}, ${clients} clients`,
      where: { ...DEFAULT_CLIENT, topology, clients },
    })),
  );
  return {
    place: 'Fig. 4',
    paper:
      'Genetic streams a higher bitrate than each other approach "across all client sets and topologies"',
    ...judgeEach(partsAgainstEach(results, 'bitrate', settings)),
  };
}

function everyTopology(results: GeneticResults): ExperimentClaim {
  const settings = TOPOLOGY_NAMES.map((topology) => ({
    name: TOPOLOGY_TITLES[topology],
    where: { ...DEFAULT_CLIENT, topology },
  }));
  return {
    place: 'Fig. 6',
    paper: 'Genetic has shorter outages than each other approach "in all three network topologies"',
    ...judgeEach(partsAgainstEach(results, 'outage', settings)),
  };
}

/** The genetic approach on each topology with each number of clients. */
function geneticCells(
  results: GeneticResults,
  metric: RunMetric,
): { name: string; values: number[]; mean: Estimate }[] {
  return TOPOLOGY_NAMES.flatMap((topology) =>
    CLIENT_COUNTS.flatMap((clients) => {
      const where = { ...DEFAULT_CLIENT, approach: 'genetic', topology, clients } as const;
      const values = [...results.bySeed(metric, where).values()];
      if (values.length === 0) return [];
      const name = `${TOPOLOGY_TITLES[topology]}, ${clients} clients`;
      return [{ name, values, mean: estimate(values) }];
    }),
  );
}

function rangeClaim(results: GeneticResults): ExperimentClaim {
  const [least, most] = PAPER_RANGE;
  const cells = geneticCells(results, 'bitrate');
  const means = cells.map(({ mean }) => mean.mean ?? NaN);
  const { ours, agrees } = judgeEach(
    cells.map(({ name, values, mean }) => ({
      name: `${name}: ${(mean.mean ?? NaN).toFixed(0)}`,
      agrees: isWithin(mean, least, most),
      isSo: (mean.mean ?? NaN) >= least && (mean.mean ?? NaN) <= most,
      contrary: Math.min(
        contrary(values.map((one) => one - least)),
        contrary(values.map((one) => most - one)),
      ),
    })),
  );
  return {
    place: 'Fig. 4',
    paper: 'With the genetic selection clients stream at these rates, however many there are',
    paperValue: `${least} to ${most} kbit/s`,
    ours:
      cells.length > 0
        ? `${Math.min(...means).toFixed(0)} to ${Math.max(...means).toFixed(0)} kbit/s; ${ours}`
        : NOTHING,
    agrees,
  };
}

/** True if all runs show the paper's whole film. */
export function isWholeFilm(results: GeneticResults): boolean {
  const runs = results.runs({ ...DEFAULT_CLIENT });
  return runs.length > 0 && runs.every(({ job }) => job.filmMs === PAPER_FILM_MS);
}

function switchesClaim(results: GeneticResults): ExperimentClaim {
  const cells = geneticCells(results, 'switches');
  const isWhole = isWholeFilm(results);
  const most = Math.max(...cells.map(({ mean }) => mean.mean ?? NaN));
  const short = isWhole ? '' : '; the film is shorter here, so this says little';
  return {
    place: 'Fig. 5',
    paper: 'With the genetic selection clients switch so many times at most',
    paperValue: `${PAPER_SWITCHES}`,
    ours: cells.length > 0 ? `${most.toFixed(1)} at most${short}` : NOTHING,
    agrees: isWhole ? allOf(cells.map(({ mean }) => isWithin(mean, 0, PAPER_SWITCHES))) : null,
  };
}
