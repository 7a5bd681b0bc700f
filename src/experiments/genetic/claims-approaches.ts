import { mean } from '../../core';
import { estimate } from '../../report';
import { allOf, isAbove } from '../estimate';
import { isLess } from '../judge';
import type { ExperimentClaim } from '../types';
import { APPROACH_TITLES, APPROACHES, COMPARED, type Approach } from './approaches';
import { besideEach, isWholeFilm } from './claims-paths';
import {
  comparisonText,
  isLessIn,
  isMoreIn,
  judgeEach,
  NOTHING,
  part,
  signedText,
  type Comparison,
} from './judgements';
import { CLIENT_COUNTS } from './link-values';
import { DEFAULT_CLIENT } from './plan';
import type { GeneticResults, RunFilter, RunMetric } from './results';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES, type TopologyName } from './switch-graph';

const SELECTING: readonly Approach[] = APPROACHES.filter((approach) => approach !== 'none');
/** "More than 35 quality switches". */
const MANY_SWITCHES = 35;
/** Fewer switches than this over the four numbers of clients are no decline. */
const ONE_SWITCH = 1;
/** The topologies whose trends the paper describes. */
const TREND_TOPOLOGIES: readonly TopologyName[] = ['compuserve', 'jellyfish'];

/** The paper's statements about the other selections (Figs. 4 to 6). */
export function approachClaims(results: GeneticResults): ExperimentClaim[] {
  return [
    lessImpacted(results),
    manySwitches(results),
    mostSwitches(results),
    ...trendClaims(results),
    ...longestOutage(results),
    ...parameterClaims(results),
    ...fullyDisjointClaims(results),
  ];
}

const titleOf = (approach: Approach): string => APPROACH_TITLES[approach].toLowerCase();

const compare = (
  results: GeneticResults,
  metric: RunMetric,
  where: RunFilter,
  ours: readonly Approach[],
  reference: readonly Approach[],
): Comparison => besideEach(results, metric, { ...DEFAULT_CLIENT, ...where }, ours, reference);

/** Values of each trial, one for each number of clients: means over topologies and approaches. */
function bySeed(
  results: GeneticResults,
  metric: RunMetric,
  topologies: readonly TopologyName[],
  approaches: readonly Approach[],
): Map<number, number[]> {
  const counts = CLIENT_COUNTS.map((clients) => {
    const cells = topologies.flatMap((topology) =>
      approaches.map((approach) =>
        results.bySeed(metric, { ...DEFAULT_CLIENT, topology, clients, approach }),
      ),
    );
    return (seed: number): number => mean(cells.map((cell) => cell.get(seed) ?? NaN)) ?? NaN;
  });
  const seeds = new Set(results.runs({ ...DEFAULT_CLIENT }).map(({ job }) => job.seed));
  return new Map([...seeds].map((seed) => [seed, counts.map((of) => of(seed))]));
}

/** Section IV-B-1: the loss of bitrate from 5 to 30 clients. */
function lessImpacted(results: GeneticResults): ExperimentClaim {
  const losses = (approaches: readonly Approach[]): number[] =>
    [...bySeed(results, 'bitrate', TREND_TOPOLOGIES, approaches).values()].map(
      (values) => (values[0] ?? NaN) - (values.at(-1) ?? NaN),
    );
  const byDelay = losses(['partial-delay', 'full-delay']);
  const byBandwidth = losses(['partial-bandwidth', 'full-bandwidth']);
  const difference = estimate(byDelay.map((one, index) => one - (byBandwidth[index] ?? NaN)));
  const reference = mean(byBandwidth.filter(Number.isFinite));
  return {
    place: 'Fig. 4',
    paper:
      'CompuServe and Jellyfish: from 5 to 30 clients selections by delay lose less bitrate than those by bandwidth',
    ours:
      reference === undefined || difference.mean === null
        ? NOTHING
        : `${(reference + difference.mean).toFixed(0)} beside ${reference.toFixed(0)} kbit/s lost: ${signedText(difference, 0)}`,
    agrees: reference === undefined ? null : isLess(difference, reference),
  };
}

/** Section IV-B-1: on each topology with some number of clients. */
function manySwitches(results: GeneticResults): ExperimentClaim {
  const isWhole = isWholeFilm(results);
  const bars = TOPOLOGY_NAMES.flatMap((topology) =>
    (['full-bandwidth', 'full-delay'] as const).map((approach) =>
      CLIENT_COUNTS.map((clients) =>
        results.estimate('switches', { ...DEFAULT_CLIENT, topology, clients, approach }),
      ).filter(({ count }) => count > 0),
    ),
  );
  const means = bars.map((cells) => Math.max(...cells.map((cell) => cell.mean ?? 0)));
  const verdicts = bars.map((cells) => {
    const above = cells.map((cell) => isAbove(cell, MANY_SWITCHES));
    return above.includes(true) ? true : above.includes(null) ? null : false;
  });
  return {
    place: 'Fig. 5',
    paper: 'On every topology clients switch so often with the fully disjoint selections',
    paperValue: `more than ${MANY_SWITCHES}`,
    ours: Math.max(...means) > 0 ? `${Math.max(...means).toFixed(1)} at most` : NOTHING,
    agrees: isWhole && means.every((one) => one > 0) ? allOf(verdicts) : null,
  };
}

/** The others of some selections, each beside the one that the paper names as the extreme. */
function extreme(
  results: GeneticResults,
  metric: RunMetric,
  where: RunFilter,
  named: Approach,
): Pick<ExperimentClaim, 'ours' | 'agrees'> {
  const filter = { ...DEFAULT_CLIENT, ...where };
  const means = SELECTING.map((approach) => ({
    approach,
    mean: results.estimate(metric, { ...filter, approach }).mean ?? -1,
  }));
  const most = means.reduce((best, one) => (one.mean > best.mean ? one : best));
  if (most.mean < 0) return { ours: NOTHING, agrees: null };
  const parts = SELECTING.filter((approach) => approach !== named).flatMap((approach) => {
    const comparison = compare(results, metric, where, [named], [approach]);
    if (comparison.pairs.length === 0) return [];
    return [part(titleOf(approach), comparison, true)];
  });
  const { ours, agrees } = judgeEach(parts);
  return { ours: `the highest mean with ${titleOf(most.approach)}; ${ours}`, agrees };
}

/** Section V. */
const mostSwitches = (results: GeneticResults): ExperimentClaim => ({
  place: 'Section V',
  paper: 'Clients switch most with fully disjoint, delay',
  ...extreme(results, 'switches', {}, 'full-delay'),
});

/** The approach that the paper names as the one with the longest outages. */
const LONGEST: Readonly<Record<TopologyName, Approach>> = {
  compuserve: 'partial-bandwidth',
  custom: 'partial-delay',
  jellyfish: 'partial-bandwidth',
};

const longestOutage = (results: GeneticResults): ExperimentClaim[] =>
  TOPOLOGY_NAMES.map((topology) => ({
    place: 'Fig. 6',
    paper: `${TOPOLOGY_TITLES[topology]}: outages are longest with ${titleOf(LONGEST[topology])}`,
    ...extreme(results, 'outage', { topology }, LONGEST[topology]),
  }));

/** Fig. 5: the fitted line over the four numbers of clients, its change from the first to the last. */
function trendClaims(results: GeneticResults): ExperimentClaim[] {
  const trends = SELECTING.map((approach) => {
    const all = [...bySeed(results, 'switches', TREND_TOPOLOGIES, [approach]).values()];
    const changes = estimate(all.map(fittedChange));
    const first = mean(all.map(([few = NaN]) => few).filter(Number.isFinite));
    const agrees = first === undefined ? null : isLess(changes, first, ONE_SWITCH);
    return { approach, agrees, text: `${titleOf(approach)} ${signedText(changes, 1)}` };
  });
  const others = trends.filter(({ approach }) => approach !== 'genetic');
  const own = trends.find(({ approach }) => approach === 'genetic');
  const count = (verdict: boolean): number =>
    others.filter(({ agrees }) => agrees === verdict).length;
  const isMost = count(true) > others.length / 2;
  return [
    {
      place: 'Fig. 5',
      paper:
        'CompuServe and Jellyfish: with most other approaches clients switch less the more clients there are',
      ours: `from 5 to 30 clients ${others.map(({ text }) => text).join('; ')}`,
      agrees: isMost ? true : count(false) >= others.length / 2 ? false : null,
    },
    {
      place: 'Fig. 5',
      paper: 'CompuServe and Jellyfish: with the genetic selection they do not switch less then',
      ours: `from 5 to 30 clients ${own?.text ?? NOTHING}`,
      agrees: own?.agrees === undefined || own.agrees === null ? null : !own.agrees,
    },
  ];
}

/** Change from the first to the last of four values on their least-squares line. */
const fittedChange = ([a = NaN, b = NaN, c = NaN, d = NaN]: readonly number[]): number =>
  0.9 * (d - a) + 0.3 * (c - b);

/** The conclusions (i) and (ii) of section IV-B-1, (i) once more in section V. */
function parameterClaims(results: GeneticResults): ExperimentClaim[] {
  const outage = compare(results, 'outage', {}, ['full-delay'], ['partial-delay']);
  const bitrate = compare(results, 'bitrate', {}, ['full-delay'], ['partial-delay']);
  const both = compare(
    results,
    'outage',
    {},
    ['genetic', 'full-bandwidth'],
    ['partial-bandwidth', 'partial-delay'],
  );
  return [
    {
      place: 'Fig. 6 (i)',
      paper:
        'Delay differences matter more than delays: shorter outages with fully disjoint, delay (differences) than with partially disjoint, delay',
      ours: comparisonText(outage),
      agrees: isLessIn(outage),
    },
    {
      place: 'Section V',
      paper: 'The same for the bitrate: it is higher with fully disjoint, delay (differences)',
      ours: comparisonText(bitrate),
      agrees: isMoreIn(bitrate),
    },
    {
      place: 'Fig. 6 (ii)',
      paper:
        'More than one parameter: shorter outages with genetic and fully disjoint, bandwidth than with the partially disjoint selections',
      ours: comparisonText(both),
      agrees: isLessIn(both),
    },
  ];
}

/** Section IV-B-1, conclusion (iii): five clients have good networks, thirty limited ones. */
function fullyDisjointClaims(results: GeneticResults): ExperimentClaim[] {
  const good = compare(
    results,
    'outage',
    { clients: 5 },
    ['full-bandwidth'],
    COMPARED.filter((approach) => approach !== 'full-bandwidth'),
  );
  const limited = compare(
    results,
    'outage',
    { clients: 30 },
    ['full-bandwidth'],
    ['partial-bandwidth'],
  );
  return [
    {
      place: 'Fig. 6',
      paper:
        'In good networks (5 clients) outages are shorter with fully disjoint, bandwidth than with the other three compared',
      ours: comparisonText(good),
      agrees: isLessIn(good),
    },
    {
      place: 'Fig. 6 (iii)',
      paper:
        'In limited ones (30 clients) outages are longer if no links are shared: fully beside partially disjoint, bandwidth',
      ours: comparisonText(limited),
      agrees: isMoreIn(limited),
    },
  ];
}
