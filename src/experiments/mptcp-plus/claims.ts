import { mean } from '../../core';
import { estimate } from '../../report';
import { allOf, estimateText, isAbove, isBelow, meansBySeed } from '../estimate';
import { isLessByPairs, isMoreByPairs, type Pair } from '../judge';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import type { SamplesOutcome, WindowsOutcome } from './jobs';
import { panelsOf, STUDY_AVERAGES_KBPS, STUDY_RATIOS, WINDOW_PAIRS } from './plan';
import { bitrateKbps, deviationKbps, type MptcpPlusResults } from './results';
import { MAX_SAMPLES } from './run';
import { aggregationClaims, segmentClaims, smoothingClaim } from './segment-claims';
import type { Variant } from './variants';

/**
 * Number of samples after which the paper calls the deviation stable; ours is stable if it changes by less
 * than a fifth afterwards.
 */
const ENOUGH = 150;
const STABLE_CHANGE = 0.2;
/** The paper's statements beside the outcomes. */
export function mptcpPlusClaims(results: MptcpPlusResults): ExperimentClaim[] {
  return [
    ...samplesClaims(results),
    ...STUDY_AVERAGES_KBPS.flatMap((averageKbps) => ratioClaims(results, averageKbps)),
    slowPathsClaim(results),
    ...aggregationClaims(results, panelsOf(STUDY_AVERAGES_KBPS)),
    ...segmentClaims(results, panelsOf(STUDY_AVERAGES_KBPS)),
    smoothingClaim(results, panelsOf(STUDY_AVERAGES_KBPS)),
    ...windowClaims(results),
  ];
}

/** Below this share of the reductions, in percent, the smoothing hardly acts. */
const HARDLY_PERCENT = 5;
/** Paths of the figures that show windows. */
const FLUCTUATION_FIGURES = ['Fig. 2a', 'Fig. 2b', 'Fig. 4'] as const;

/** How often theta was below 1 over these paths: only then the smoothing acts. */
function smoothingText(results: MptcpPlusResults, variant: Variant): string {
  const percent = (of: (outcome: WindowsOutcome) => number | null): number | undefined => {
    const shares = FLUCTUATION_FIGURES.flatMap((figure) =>
      results
        .windowPairs((outcome) => of(outcome) ?? NaN, variant, variant, WINDOW_PAIRS[figure])
        .flatMap(([share]) => (Number.isNaN(share) ? [] : [share])),
    );
    const share = mean(shares);
    return share === undefined ? undefined : 100 * share;
  };
  const [acks, reductions] = [
    percent(({ smoothedAcks }) => smoothedAcks),
    percent(({ smoothedReductions }) => smoothedReductions),
  ];
  if (acks === undefined || reductions === undefined) return 'Theta is not known';
  const at = `Theta is below 1 at ${reductions.toFixed(2)} % of the reductions`;
  return reductions < HARDLY_PERCENT
    ? `${at}, so that ${reductions === 0 ? 'no' : 'hardly a'} loss is smoothed, and at ${acks.toFixed(0)} % of the acknowledgements`
    : `${at} and ${acks.toFixed(0)} % of the acknowledgements: it acts, and the windows fluctuate more`;
}

/** Figs. 2 and 4, and section III-B: theta makes the windows fluctuate less. */
function windowClaims(results: MptcpPlusResults): ExperimentClaim[] {
  const total = ({ totalVariation }: WindowsOutcome): number => totalVariation;
  const compared = (one: Variant, other: Variant): Pair[] =>
    FLUCTUATION_FIGURES.flatMap((figure) =>
      results.windowPairs(total, one, other, WINDOW_PAIRS[figure]),
    );
  const differenceText = (pairs: readonly Pair[]): string =>
    estimateText(estimate(pairs.map(([a, b]) => a - b)), 3, 'pairs');
  const calmer = (paper: string, one: Variant, other: Variant): ExperimentClaim => {
    const pairs = compared(one, other);
    const agrees = isLessByPairs(pairs);
    const unsmoothed = `with theta = 1 the difference from LIA is ${differenceText(compared('mcc-unsmoothed', 'mptcp'))}`;
    return {
      place: 'Section III-B',
      paper,
      ours: `${differenceText(pairs)}; the difference of standard deviation over mean of the sum of the windows`,
      agrees,
      ...(agrees === false ? { why: `${smoothingText(results, one)}; ${unsmoothed}.` } : {}),
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
  // Trials are drawn, and the rates of the paths are chosen: one value a trial, the mean over its runs.
  const byTrial = (of: (outcome: SamplesOutcome) => number): Estimate =>
    estimate(
      meansBySeed(samples.map(({ job: { seed }, outcome }) => ({ seed, value: of(outcome) }))),
    );
  const spread = byTrial(
    ({ fastBps, slowBps }) => deviationKbps(fastBps, ENOUGH) - deviationKbps(slowBps, ENOUGH),
  );
  const change = (of: 'fastBps' | 'slowBps'): Estimate =>
    byTrial((outcome) =>
      Math.abs(deviationKbps(outcome[of], MAX_SAMPLES) / deviationKbps(outcome[of], ENOUGH) - 1),
    );
  const [fast, slow] = [change('fastBps'), change('slowBps')];
  return [
    {
      place: 'Fig. 5',
      paper: 'The rate of the fast path varies more than that of the slow one',
      ours: `${estimateText(spread, 0, 'trials')}; kbit/s, the difference of standard deviations`,
      agrees: isAbove(spread, 0),
    },
    {
      place: 'Fig. 5',
      paper: '150 samples are enough for the standard deviation to be stable',
      ours: `from 150 to 300 it changes by ${estimateText(fast, 2, 'trials')} of itself on the fast path, ${estimateText(slow, 2, 'trials')} on the slow one`,
      agrees: allOf([isBelow(fast, STABLE_CHANGE), isBelow(slow, STABLE_CHANGE)]),
    },
  ];
}

const mptcpAt = (
  averageKbps: number,
  ratio: number,
): { variant: 'mptcp'; averageKbps: number; ratio: number } => ({
  variant: 'mptcp',
  averageKbps,
  ratio,
});

/** Bitrates at each step of the ratio, the larger ratio first. */
function steps(results: MptcpPlusResults, averageKbps: number): Pair[][] {
  return STUDY_RATIOS.slice(1).map((ratio, index) =>
    results.pairs(
      bitrateKbps,
      mptcpAt(averageKbps, ratio),
      mptcpAt(averageKbps, STUDY_RATIOS[index] ?? ratio),
    ),
  );
}

/** Fig. 6: plain MPTCP over the paper's four ratios. */
export function ratioClaims(results: MptcpPlusResults, averageKbps: number): ExperimentClaim[] {
  return [stepsClaim(results, averageKbps), beyondRhoClaim(results, averageKbps)];
}

function stepsClaim(results: MptcpPlusResults, averageKbps: number): ExperimentClaim {
  const pairs = steps(results, averageKbps);
  const texts = pairs.map((step) => estimate(step.map(([a, b]) => a - b)).mean?.toFixed(0) ?? '-');
  return {
    place: `Fig. 6, ${averageKbps} kbit/s on average`,
    paper:
      'MPTCP streams worse the more the paths differ: better at each step of C1/C2 from 0.5 to 0.8',
    ours: `${texts.join(', ')} kbit/s more at the steps, ${pairs[0]?.length ?? 0} pairs`,
    agrees: allOf(pairs.map(isMoreByPairs)),
  };
}

/** "When C1/C2 > 0.6, we achieve better video quality": the reason for the paper's rho. */
function beyondRhoClaim(results: MptcpPlusResults, averageKbps: number): ExperimentClaim {
  const [low, near, above, high] = STUDY_RATIOS;
  const places = [above, high].flatMap((one) => [low, near].map((other) => [one, other] as const));
  const parts = places.map(([one, other]) =>
    results.pairs(bitrateKbps, mptcpAt(averageKbps, one), mptcpAt(averageKbps, other)),
  );
  const texts = parts.map((pairs, index) => {
    const [one, other] = places[index] ?? [];
    const gain = estimate(pairs.map(([a, b]) => a - b)).mean?.toFixed(0) ?? '-';
    return `${gain} at ${one ?? ''} beside ${other ?? ''}`;
  });
  return {
    place: `Fig. 6, ${averageKbps} kbit/s on average`,
    paper: 'MPTCP streams better above C1/C2 of 0.6: at 0.7 and 0.8 than at 0.5 and 0.6',
    ours: `kbit/s more: ${texts.join(', ')}; ${parts[0]?.length ?? 0} pairs`,
    agrees: allOf(parts.map(isMoreByPairs)),
  };
}

/** Fig. 6a: "especially when we use relatively slow download speed". */
function slowPathsClaim(results: MptcpPlusResults): ExperimentClaim {
  const [slow, fast] = STUDY_AVERAGES_KBPS.map((averageKbps) =>
    results
      .pairs(bitrateKbps, mptcpAt(averageKbps, 0.5), mptcpAt(averageKbps, 0.8))
      .map(([far, near]) => far / near),
  );
  const pairs = (slow ?? []).flatMap((share, trial): Pair[] => {
    const other = fast?.[trial];
    return other === undefined ? [] : [[share, other]];
  });
  const mean = (place: 0 | 1): string =>
    (100 * (estimate(pairs.map((pair) => pair[place])).mean ?? NaN)).toFixed(0);
  return {
    place: 'Fig. 6',
    paper:
      'A difference of the paths costs more where they are slow (500 kbit/s) than where they are fast (1500)',
    ours: `at C1/C2 0.5 the bitrate is ${mean(0)} and ${mean(1)} % of that at 0.8, ${pairs.length} pairs`,
    agrees: isLessByPairs(pairs),
  };
}
