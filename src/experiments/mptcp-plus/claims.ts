import { estimate } from '../../report';
import { allOf, estimateText, isAbove, isBelow } from '../estimate';
import { isLessByPairs, isMoreByPairs, type Pair } from '../judge';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import { PAPER_SETTINGS } from './figures';
import type { PathPair, WindowsOutcome } from './jobs';
import { RATIOS, STUDY_AVERAGES_KBPS, WINDOW_PAIRS } from './plan';
import {
  bitrateKbps,
  deviationKbps,
  medianDelaySeconds,
  medianSpeedKbps,
  qoe,
  type MptcpPlusResults,
} from './results';
import { MAX_SAMPLES } from './run';
import type { Variant } from './variants';

/**
 * Number of samples after which the paper calls the deviation stable; ours is stable if it changes by less
 * than a fifth afterwards.
 */
const ENOUGH = 150;
const STABLE_CHANGE = 0.2;
/**
 * "Up to 50 %" is judged as a gain above this in some setting: the largest gain depends on the difference of
 * the paths.
 */
const LARGE_GAIN_PERCENT = 25;

/**
 * The paper's statements beside the outcomes.
 * @param averagesKbps mean bandwidths of Figs. 7 and 8
 */
export function mptcpPlusClaims(
  results: MptcpPlusResults,
  averagesKbps: readonly number[],
): ExperimentClaim[] {
  return [
    ...samplesClaims(results),
    ...STUDY_AVERAGES_KBPS.map((averageKbps) => ratioClaim(results, averageKbps)),
    ...averagesKbps.flatMap((averageKbps) =>
      RATIOS.flatMap((ratio) => segmentClaims(results, { averageKbps, ratio })),
    ),
    qoeClaim(results, averagesKbps),
    ...windowClaims(results),
  ];
}

/** Figs. 2 and 4, and section III-B: theta makes the windows fluctuate less. */
function windowClaims(results: MptcpPlusResults): ExperimentClaim[] {
  const total = ({ totalVariation }: WindowsOutcome): number => totalVariation;
  const calmer = (paper: string, one: Variant, other: Variant): ExperimentClaim => {
    const pairs = results.windowPairs(total, one, other);
    const difference = estimate(pairs.map(([a, b]) => a - b));
    return {
      place: 'Section III-B, Fig. 4',
      paper,
      ours: `${estimateText(difference, 3, 'pairs')}; the difference of standard deviation over mean of the sum of the windows`,
      agrees: isLessByPairs(pairs),
    };
  };
  const bitrate = ({ bitrateBps }: WindowsOutcome): number => bitrateBps / 1e3;
  const [far, near] = [WINDOW_PAIRS['Fig. 2a'], WINDOW_PAIRS['Fig. 2b']].map((at) =>
    results.windowPairs(bitrate, 'mptcp', 'mptcp', at).map(([value]) => value),
  );
  const pairs = (near ?? []).flatMap((value, index): Pair[] => {
    const other = far?.[index];
    return other === undefined ? [] : [[value, other]];
  });
  return [
    {
      place: 'Fig. 2',
      paper: 'MPTCP streams at lower bitrates at x1/x2 of 0.486 than of 0.869',
      ours: `${estimateText(estimate(pairs.map(([a, b]) => a - b)), 0, 'pairs')}; kbit/s more at 0.869`,
      agrees: isMoreByPairs(pairs),
    },
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

function samplesClaims({ samples }: MptcpPlusResults): ExperimentClaim[] {
  const spread = estimate(
    samples.map(
      ({ outcome }) =>
        deviationKbps(outcome.fastBps, ENOUGH) - deviationKbps(outcome.slowBps, ENOUGH),
    ),
  );
  const change = (of: 'fastBps' | 'slowBps'): Estimate =>
    estimate(
      samples.map(({ outcome }) =>
        Math.abs(deviationKbps(outcome[of], MAX_SAMPLES) / deviationKbps(outcome[of], ENOUGH) - 1),
      ),
    );
  const [fast, slow] = [change('fastBps'), change('slowBps')];
  return [
    {
      place: 'Fig. 5',
      paper: 'The rate of the fast path varies more than that of the slow one',
      ours: `${estimateText(spread, 0, 'runs')}; kbit/s, the difference of standard deviations`,
      agrees: isAbove(spread, 0),
    },
    {
      place: 'Fig. 5',
      paper: '150 samples are enough for the standard deviation to be stable',
      ours: `from 150 to 300 it changes by ${estimateText(fast, 2, 'runs')} of itself on the fast path, ${estimateText(slow, 2, 'runs')} on the slow one`,
      agrees: allOf([isBelow(fast, STABLE_CHANGE), isBelow(slow, STABLE_CHANGE)]),
    },
  ];
}

function ratioClaim(results: MptcpPlusResults, averageKbps: number): ExperimentClaim {
  const at = (ratio: number): { variant: 'mptcp'; averageKbps: number; ratio: number } => ({
    variant: 'mptcp',
    averageKbps,
    ratio,
  });
  const gain = results.difference(bitrateKbps, at(0.8), at(0.5));
  return {
    place: `Fig. 6, ${averageKbps} kbit/s on average`,
    paper: 'MPTCP streams worse the more the paths differ: better at C1/C2 of 0.8 than of 0.5',
    ours: `${estimateText(gain, 0, 'pairs')}; kbit/s more`,
    agrees: isMoreByPairs(results.pairs(bitrateKbps, at(0.8), at(0.5))),
  };
}

function segmentClaims(results: MptcpPlusResults, place: PathPair): ExperimentClaim[] {
  const plus = { ...place, ...PAPER_SETTINGS, variant: 'mptcp-plus' as const };
  const plain = { ...plus, variant: 'mptcp' as const };
  const delay = results.difference(medianDelaySeconds, plus, plain);
  const speed = results.difference(medianSpeedKbps, plus, plain);
  const where = `${place.averageKbps} kbit/s on average, C1/C2 ${place.ratio}`;
  return [
    {
      place: `Fig. 7, ${where}`,
      paper: 'Segments take less time with MPTCP+ than with MPTCP',
      ours: `${estimateText(delay, 3, 'pairs')}; s, the difference of medians`,
      agrees: isLessByPairs(results.pairs(medianDelaySeconds, plus, plain)),
    },
    {
      place: `Fig. 8, ${where}`,
      paper: 'Segments come faster with MPTCP+ than with MPTCP',
      ours: `${estimateText(speed, 0, 'pairs')}; kbit/s, the difference of medians`,
      agrees: isMoreByPairs(results.pairs(medianSpeedKbps, plus, plain)),
    },
  ];
}

function qoeClaim(results: MptcpPlusResults, averagesKbps: readonly number[]): ExperimentClaim {
  const gains = averagesKbps.flatMap((averageKbps) =>
    RATIOS.map((ratio) => {
      const plus = { averageKbps, ratio, ...PAPER_SETTINGS, variant: 'mptcp-plus' as const };
      const pairs = results.pairs(qoe, plus, { ...plus, variant: 'mptcp' });
      const percent = pairs.flatMap(([one, other]) => (other > 0 ? [100 * (one / other - 1)] : []));
      return { averageKbps, ratio, gain: estimate(percent) };
    }),
  );
  const best = gains.reduce<(typeof gains)[number] | undefined>(
    (most, one) => ((one.gain.mean ?? -Infinity) > (most?.gain.mean ?? -Infinity) ? one : most),
    undefined,
  );
  const worst = Math.min(...gains.map(({ gain }) => gain.mean ?? Infinity));
  return {
    place: 'Abstract',
    paper: `MPTCP+ increases the QoE by up to 50 % (judged: somewhere by more than ${LARGE_GAIN_PERCENT} %)`,
    ours:
      best === undefined
        ? 'nothing was run'
        : `at best by ${estimateText(best.gain, 0, 'pairs')}; % (C1/C2 ${best.ratio}, ${best.averageKbps} kbit/s on average), at worst by ${worst.toFixed(0)} %`,
    agrees: best === undefined ? null : isAbove(best.gain, LARGE_GAIN_PERCENT),
  };
}
