import { mean } from '../../core';
import { estimate } from '../../report';
import { allOf, estimateText, isAbove, isBelow } from '../estimate';
import { isLessByPairs, isMoreByPairs } from '../judge';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import { APPROACH_TITLES, APPROACHES, COMPARED, type Approach } from './approaches';
import { claimsOfClients } from './claims-clients';
import { DEFAULT_CLIENT, UNSELECTED } from './plan';
import { differenceText, type GeneticResults, type RunMetric } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES, type TopologyName } from './switch-graph';

/** Length of the paper's film; counts of switches are for all of it. */
const PAPER_FILM_MS = 540_000;
/** Largest number of bitrate switches that the paper reports with the genetic selection. */
const PAPER_SWITCHES = 29;
/** "Up to four times" is judged as at least this many times, against one of the others. */
const CLEARLY_LONGER = 2;

/** The paper's statements beside the outcomes. */
export function geneticClaims(results: GeneticResults): ExperimentClaim[] {
  return [
    ...claimsAgainstOthers(results),
    rangeClaim(results),
    switchesClaim(results),
    fourTimesClaim(results),
    ...longestOutage(results),
    unselectedClaim(results),
    ...claimsOfClients(results),
    searchClaim(results),
  ];
}

/** Figs. 4 to 6: the genetic selection beside each other one. */
export function claimsAgainstOthers(results: GeneticResults): ExperimentClaim[] {
  return COMPARED.flatMap((other) => againstGenetic(results, other));
}

function againstGenetic(results: GeneticResults, other: Approach): ExperimentClaim[] {
  const claim = (
    place: string,
    metric: RunMetric,
    says: string,
    isMore: boolean,
  ): ExperimentClaim => {
    const pairs = results.approaches(metric, DEFAULT_CLIENT, 'genetic', other);
    return {
      place,
      paper: `Genetic ${says} ${APPROACH_TITLES[other].toLowerCase()}`,
      ours: differenceText(metric, pairs),
      agrees: isMore ? isMoreByPairs(pairs) : isLessByPairs(pairs),
    };
  };
  return [
    claim('Fig. 4', 'bitrate', 'streams a higher bitrate than', true),
    claim('Fig. 5', 'switches', 'switches less than', false),
    claim('Fig. 6', 'outage', 'has shorter outages than', false),
  ];
}

/** Estimates of the genetic approach, one for each topology and number of clients. */
function geneticCells(results: GeneticResults, metric: RunMetric): Estimate[] {
  const runs = results.runs({ ...DEFAULT_CLIENT, approach: 'genetic' });
  const cells = new Map(runs.map(({ job }) => [`${job.topology} ${job.clients}`, job]));
  return [...cells.values()].map(({ topology, clients }) =>
    results.estimate(metric, { ...DEFAULT_CLIENT, approach: 'genetic', topology, clients }),
  );
}

/** Null if an interval is neither entirely inside nor entirely outside. */
function isWithin(cell: Estimate, least: number, most: number): boolean | null {
  if (isBelow(cell, least) === true || isAbove(cell, most) === true) return false;
  return allOf([isAbove(cell, least), isBelow(cell, most)]);
}

function rangeClaim(results: GeneticResults): ExperimentClaim {
  const cells = geneticCells(results, 'bitrate');
  const means = cells.map(({ mean }) => mean ?? NaN);
  const [least, most] = [Math.min(...means), Math.max(...means)];
  return {
    place: 'Fig. 4',
    paper:
      'With the genetic selection clients stream at 2200 to 2600 kbit/s, however many there are',
    ours: cells.length > 0 ? `${least.toFixed(0)} to ${most.toFixed(0)} kbit/s` : 'nothing was run',
    agrees: allOf(cells.map((cell) => isWithin(cell, 2200, 2600))),
  };
}

function switchesClaim(results: GeneticResults): ExperimentClaim {
  const cells = geneticCells(results, 'switches');
  const runs = results.runs({ ...DEFAULT_CLIENT, approach: 'genetic' });
  const isWhole = runs.length > 0 && runs.every(({ job }) => job.filmMs === PAPER_FILM_MS);
  const most = Math.max(...cells.map(({ mean }) => mean ?? NaN));
  const short = isWhole ? '' : '; the film is shorter here, so this says little';
  return {
    place: 'Fig. 5',
    paper: `With the genetic selection clients switch ${PAPER_SWITCHES} times at most`,
    ours: cells.length > 0 ? `${most.toFixed(1)} at most${short}` : 'nothing was run',
    agrees: isWhole ? allOf(cells.map((cell) => isBelow(cell, PAPER_SWITCHES))) : null,
  };
}

function fourTimesClaim(results: GeneticResults): ExperimentClaim {
  const where = { ...DEFAULT_CLIENT, ...UNSELECTED };
  const outageS = (approach: Approach): number | null =>
    results.estimate('outage', { ...where, approach }).mean;
  const own = outageS('genetic');
  const worst = Math.max(...COMPARED.map((approach) => outageS(approach) ?? 0));
  const longer = COMPARED.map((approach) => {
    const pairs = results.approaches('outage', where, approach, 'genetic');
    return isAbove(estimate(pairs.map(([other, one]) => other - CLEARLY_LONGER * one)), 0);
  });
  return {
    place: 'Fig. 6a',
    paper:
      'CompuServe, 5 clients: the others have outages up to four times as long as the genetic selection',
    ours:
      own === null
        ? 'nothing was run'
        : own > 0
          ? `${(worst / own).toFixed(1)} times (${worst.toFixed(2)} and ${own.toFixed(2)} s)`
          : `${worst.toFixed(2)} s, and none with the genetic selection`,
    agrees: own === null || own === 0 ? null : oneOf(longer),
  };
}

/** True if one is, false if all are false. */
function oneOf(verdicts: readonly (boolean | null)[]): boolean | null {
  return verdicts.includes(true) ? true : verdicts.includes(null) ? null : false;
}

/** The approach that the paper names as the one with the longest outages. */
const LONGEST: Readonly<Record<TopologyName, Approach>> = {
  compuserve: 'partial-bandwidth',
  custom: 'partial-delay',
  jellyfish: 'partial-bandwidth',
};

function longestOutage(results: GeneticResults): ExperimentClaim[] {
  return TOPOLOGY_NAMES.map((topology) => {
    const named = LONGEST[topology];
    const where = { ...DEFAULT_CLIENT, topology };
    const selecting = APPROACHES.filter((approach) => approach !== 'none');
    const means = selecting.map((approach) => ({
      approach,
      mean: results.estimate('outage', { ...where, approach }).mean ?? -1,
    }));
    const longest = means.reduce((most, one) => (one.mean > most.mean ? one : most));
    const verdicts = selecting
      .filter((approach) => approach !== named)
      .map((approach) => isMoreByPairs(results.approaches('outage', where, named, approach)));
    return {
      place: 'Fig. 6',
      paper: `${TOPOLOGY_TITLES[topology]}: outages are longest with ${APPROACH_TITLES[named].toLowerCase()}`,
      ours:
        longest.mean < 0
          ? 'nothing was run'
          : `longest with ${APPROACH_TITLES[longest.approach].toLowerCase()}, ${longest.mean.toFixed(2)} s`,
      agrees: allOf(verdicts),
    };
  });
}

function unselectedClaim(results: GeneticResults): ExperimentClaim {
  const where = { ...DEFAULT_CLIENT, ...UNSELECTED };
  const pairs = results.approaches('bitrate', where, 'none', 'genetic');
  const bitrate = results.estimate('bitrate', { ...where, approach: 'none' });
  return {
    place: 'Section IV-B-1',
    paper:
      'Without path selection 5 clients on CompuServe get about the lowest quality (1728 kbit/s), less than with any',
    ours: `${estimateText(bitrate, 0, 'trials')}; beside genetic ${differenceText('bitrate', pairs)}`,
    agrees: isLessByPairs(pairs),
  };
}

/**
 * Judged by steps: a larger population takes more of them on every topology. The paper has seconds, which
 * `npm run bench -- genetic` measures.
 */
function searchClaim(results: GeneticResults): ExperimentClaim {
  const growths = TOPOLOGY_NAMES.flatMap((topology) => {
    const steps = stepsByPopulation(results, topology);
    const [least, most] = [steps[0], steps.at(-1)];
    if (least === undefined || most === undefined || steps.length < 2) return [];
    const isGrowing = steps.every((one, index) => index === 0 || one > (steps[index - 1] ?? 0));
    return [{ topology, factor: most / least, isGrowing }];
  });
  const text = growths
    .map(({ topology, factor }) => `${TOPOLOGY_TITLES[topology]} ${factor.toFixed(1)}`)
    .join(', ');
  return {
    place: 'Fig. 10',
    paper: 'A search takes longer with a larger population: 0.5 to 2.46 s, 4.9 times',
    ours:
      growths.length > 0
        ? `steps with the largest over the smallest: ${text} times; the time: npm run bench -- genetic`
        : 'nothing was run',
    agrees: growths.length > 0 ? growths.every(({ isGrowing }) => isGrowing) : null,
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
