import { mean } from '../../core';
import { estimate } from '../../report';
import { estimateText, isBelow } from '../estimate';
import {
  differenceOf,
  isLessByPairs,
  isMoreByPairs,
  joinBySeed,
  type BySeed,
  type Pair,
} from '../judge';
import type { ExperimentClaim } from '../types';
import type { WindowsOutcome } from './jobs';
import { WINDOW_PAIRS } from './plan';
import type { MptcpPlusResults } from './results';
import type { Variant } from './variants';

type WindowFigure = keyof typeof WINDOW_PAIRS;

/** Below this share of the reductions, in percent, the smoothing hardly acts. */
const HARDLY_PERCENT = 5;
/** Fig. 2: both films begin at this rung. */
const FIRST_KBPS = 808;
/** Fig. 4 shows windows, Fig. 2 the bitrates over such paths. */
const FLUCTUATION_FIGURES: readonly WindowFigure[] = ['Fig. 4', 'Fig. 2a', 'Fig. 2b'];

const total = ({ totalVariation }: WindowsOutcome): number => totalVariation;
const bitrate = ({ bitrateBps }: WindowsOutcome): number => bitrateBps / 1e3;

/** Figs. 2 and 4, sections II and III-B: bitrates over unlike paths, and windows that theta makes fluctuate less. */
export function windowClaims(results: MptcpPlusResults): ExperimentClaim[] {
  const mptcp = (of: (outcome: WindowsOutcome) => number, figure: WindowFigure): BySeed =>
    results.windowValues(of, 'mptcp', WINDOW_PAIRS[figure]);
  const far = mptcp(bitrate, 'Fig. 2a');
  const falls = estimate([...far.values()].map((kbps) => kbps - FIRST_KBPS));
  const nearer = joinBySeed(mptcp(bitrate, 'Fig. 2b'), far);
  const added = joinBySeed(
    mptcp(total, 'Fig. 4'),
    mptcp(({ fastVariation }) => fastVariation, 'Fig. 4'),
  );
  return [
    {
      place: 'Fig. 2',
      paper: 'MPTCP streams at lower bitrates at x1/x2 of 0.486 than of 0.869',
      ours: `${differenceText(nearer, 0)}; kbit/s more at 0.869`,
      agrees: isMoreByPairs(nearer),
    },
    {
      place: 'Fig. 2a',
      paper: `DASH reduces the bitrate to a low level: on average it is below the first rung, ${FIRST_KBPS} kbit/s`,
      ours: `${estimateText(falls, 0, 'trials')}; kbit/s more or less`,
      agrees: isBelow(falls, 0),
    },
    {
      place: 'Section II-B, Fig. 4',
      paper: 'The fluctuations add up: the sum of the windows varies more than the fast path’s',
      ours: `${differenceText(added, 3)}; ${UNIT}`,
      agrees: isMoreByPairs(added),
    },
    ...FLUCTUATION_FIGURES.flatMap((figure) => smoothingClaims(results, figure)),
  ];
}

const UNIT = 'the difference of standard deviation over mean';

const differenceText = (pairs: readonly Pair[], digits: number): string =>
  estimateText(differenceOf(pairs), digits, 'pairs');

/** Section III-B, over the paths of one figure. */
function smoothingClaims(results: MptcpPlusResults, figure: WindowFigure): ExperimentClaim[] {
  const compared = (one: Variant, other: Variant): Pair[] =>
    joinBySeed(
      results.windowValues(total, one, WINDOW_PAIRS[figure]),
      results.windowValues(total, other, WINDOW_PAIRS[figure]),
    );
  const calmer = (paper: string, one: Variant, other: Variant): ExperimentClaim => {
    const pairs = compared(one, other);
    const agrees = isLessByPairs(pairs);
    const unsmoothed = `with theta = 1 the difference from LIA is ${differenceText(compared('mcc-unsmoothed', 'mptcp'), 3)}`;
    return {
      place: `Section III-B, paths of ${figure}`,
      paper,
      ours: `${differenceText(pairs, 3)}; ${UNIT} of the sum of the windows`,
      agrees,
      ...(agrees === false ? { why: `${actsText(results, one, figure)}; ${unsmoothed}.` } : {}),
    };
  };
  return [
    calmer('Windows fluctuate less with MCC than with MPTCP’s LIA', 'mcc-only', 'mptcp'),
    calmer(
      'The smoothing factor makes them fluctuate less (theta of the last ten samples beside theta = 1)',
      'mcc-only',
      'mcc-unsmoothed',
    ),
    calmer(
      'The smoothing factor makes them fluctuate less (theta of the last ten round trips beside theta = 1)',
      'mcc-round',
      'mcc-unsmoothed',
    ),
  ];
}

/** How often theta was below 1 over these paths: only then the smoothing acts. */
function actsText(results: MptcpPlusResults, variant: Variant, figure: WindowFigure): string {
  const percent = (of: (outcome: WindowsOutcome) => number | null): number | undefined => {
    const share = mean([...results.windowValues(of, variant, WINDOW_PAIRS[figure]).values()]);
    return share === undefined ? undefined : 100 * share;
  };
  const [acks, reductions] = [
    percent(({ smoothedAcks }) => smoothedAcks),
    percent(({ smoothedReductions }) => smoothedReductions),
  ];
  if (acks === undefined || reductions === undefined) return 'Theta is not known';
  const at = `Theta is below 1 at ${reductions.toFixed(2)} % of the reductions`;
  const ofAcks = `at ${acks.toFixed(0)} % of the acknowledgements`;
  return reductions < HARDLY_PERCENT
    ? `${at}, so that ${reductions === 0 ? 'no' : 'hardly a'} loss is smoothed, and ${ofAcks}`
    : `${at} and ${ofAcks}`;
}
