import { estimate } from '../../report';
import { estimateText, isAbove, isBelow } from '../estimate';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import { COMPARED, type Approach } from './approaches';
import { comparisonText, isMoreIn, isOfSize, NOTHING } from './judgements';
import { CLIENT_COUNTS } from './link-values';
import { besideGenetic, isWholeFilm } from './claims-paths';
import { DEFAULT_CLIENT, UNSELECTED } from './plan';
import { METRICS, type GeneticResults, type RunFilter, type RunMetric } from './results';
import { FILM_RATES_BPS } from './set-up';
import { TOPOLOGY_NAMES, TOPOLOGY_TITLES } from './switch-graph';

/** The paper's clients without selection: kbit/s, switches, seconds. */
const PAPER = { bitrate: 1728, switches: 7, outage: 4 };
/** "Up to four times". */
const PAPER_TIMES = 4;
/** "Several times" is judged as more than this many. */
const SEVERAL_TIMES = 2;
const WHERE = { ...DEFAULT_CLIENT, ...UNSELECTED };

/** Statements about five clients on CompuServe (section IV-B-1). */
export function unselectedClaims(results: GeneticResults): ExperimentClaim[] {
  return [...withoutSelection(results), fourTimes(results), severalTimes(results)];
}

function withoutSelection(results: GeneticResults): ExperimentClaim[] {
  const value = (metric: RunMetric): Estimate =>
    results.estimate(metric, { ...WHERE, approach: 'none' });
  const text = (metric: RunMetric): string => {
    const { unit, digits } = METRICS[metric];
    return `${estimateText(value(metric), digits, 'trials')}; ${unit}`;
  };
  const [, second] = FILM_RATES_BPS;
  const gain = besideGenetic(results, 'bitrate', WHERE, ['none']);
  const isWhole = isWholeFilm(results);
  const place = 'Section IV-B-1';
  return [
    {
      place,
      paper:
        'Without path selection 5 clients on CompuServe play the lowest quality (judged: below the second)',
      paperValue: `${PAPER.bitrate} kbit/s`,
      ours: text('bitrate'),
      agrees: isBelow(value('bitrate'), second / 1e3),
    },
    {
      place,
      paper: 'Without path selection they switch so often',
      paperValue: `${PAPER.switches}`,
      ours: text('switches'),
      agrees: isWhole ? isOfSize(value('switches'), PAPER.switches) : null,
    },
    {
      place,
      paper: 'Without path selection they have outages of',
      paperValue: `${PAPER.outage} s`,
      ours: text('outage'),
      agrees: isWhole ? isOfSize(value('outage'), PAPER.outage) : null,
    },
    {
      place,
      paper: 'An appropriate selection (genetic) streams a higher bitrate than none',
      ours: comparisonText(gain),
      agrees: isMoreIn(gain),
    },
  ];
}

/** The differences of the trials between an outage and so many times the genetic selection's. */
function beyond(
  results: GeneticResults,
  where: RunFilter,
  other: Approach,
  times: number,
): number[] {
  const { pairs } = besideGenetic(results, 'outage', where, [other]);
  return pairs.map(({ pair: [genetic, one] }) => one - times * genetic);
}

const outageS = (results: GeneticResults, where: RunFilter, approach: Approach): number | null =>
  results.estimate('outage', { ...where, approach }).mean;

/** The longest of the others as a multiple of the genetic selection's. */
function worstText(results: GeneticResults, where: RunFilter): string {
  const own = outageS(results, where, 'genetic');
  if (own === null) return NOTHING;
  const worst = Math.max(...COMPARED.map((one) => outageS(results, where, one) ?? 0));
  return own > 0
    ? `${(worst / own).toFixed(1)} times (${worst.toFixed(2)} and ${own.toFixed(2)} s)`
    : `${worst.toFixed(2)} s, and none with the genetic selection`;
}

function fourTimes(results: GeneticResults): ExperimentClaim {
  const own = outageS(results, WHERE, 'genetic');
  const limit = (times: number): (boolean | null)[] =>
    COMPARED.map((other) => isAbove(estimate(beyond(results, WHERE, other, times)), 0));
  const [half, twice] = [limit(PAPER_TIMES / 2), limit(PAPER_TIMES * 2)];
  const isThere = own !== null && own > 0;
  const isLessFar = twice.every((one) => one === false);
  return {
    place: 'Fig. 6a',
    paper:
      'CompuServe, 5 clients: the others have outages up to so many times as long as the genetic selection',
    paperValue: `${PAPER_TIMES} times`,
    ours: worstText(results, WHERE),
    agrees: !isThere
      ? null
      : twice.includes(true) || half.every((one) => one === false)
        ? false
        : half.includes(true) && isLessFar
          ? true
          : null,
  };
}

/** "In some scenarios": one network is enough. */
function severalTimes(results: GeneticResults): ExperimentClaim {
  const cells = TOPOLOGY_NAMES.flatMap((topology) =>
    CLIENT_COUNTS.flatMap((clients) =>
      COMPARED.map((other) => {
        const where = { ...DEFAULT_CLIENT, topology, clients };
        const agrees = isAbove(estimate(beyond(results, where, other, SEVERAL_TIMES)), 0);
        return { where, agrees };
      }),
    ),
  );
  const shown = cells.filter(({ agrees }) => agrees === true);
  const names = [
    ...new Set(
      shown.map(({ where }) => `${TOPOLOGY_TITLES[where.topology]}, ${where.clients} clients`),
    ),
  ];
  const first = shown[0];
  const example = first === undefined ? '' : `; in the first ${worstText(results, first.where)}`;
  return {
    place: 'Fig. 6',
    paper: 'In some networks the others have outages several times as long (judged: over twice)',
    ours:
      cells.length === 0 || results.runs(DEFAULT_CLIENT).length === 0
        ? NOTHING
        : names.length > 0
          ? `in ${names.join('; ')}${example}`
          : 'in none beyond chance',
    agrees: shown.length > 0 ? true : cells.every(({ agrees }) => agrees === false) ? false : null,
  };
}
