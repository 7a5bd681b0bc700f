import { estimate } from '../../report';
import { allOf, estimateText, isAbove, isBelow } from '../estimate';
import { differenceOf, isLessByPairs, isMoreByPairs, joinBySeed, type Pair } from '../judge';
import type { Estimate } from '../../report';
import type { ExperimentClaim } from '../types';
import type { SamplesOutcome } from './jobs';
import { panelsOf, STUDY_AVERAGES_KBPS, STUDY_RATIOS } from './plan';
import { bitrateKbps, deviationKbps, type MptcpPlusResults } from './results';
import { MAX_SAMPLES } from './run';
import { aggregationClaim, segmentClaims, smoothingClaim } from './segment-claims';
import { windowClaims } from './window-claims';

/**
 * Number of samples after which the paper calls the deviation stable; ours is stable if it changes by less
 * than a fifth afterwards.
 */
const ENOUGH = 150;
const STABLE_CHANGE = 0.2;

/** The paper's statements beside the outcomes. */
export function mptcpPlusClaims(results: MptcpPlusResults): ExperimentClaim[] {
  return [
    ...STUDY_AVERAGES_KBPS.flatMap((averageKbps) => samplesClaims(results, averageKbps)),
    ...STUDY_AVERAGES_KBPS.flatMap((averageKbps) => ratioClaims(results, averageKbps)),
    slowPathsClaim(results),
    aggregationClaim(results, panelsOf(STUDY_AVERAGES_KBPS)),
    ...segmentClaims(results, panelsOf(STUDY_AVERAGES_KBPS), { pathUse: 'pud-only' }),
    smoothingClaim(results, panelsOf(STUDY_AVERAGES_KBPS)),
    ...windowClaims(results),
  ];
}

function samplesClaims({ samples }: MptcpPlusResults, averageKbps: number): ExperimentClaim[] {
  const runs = samples.filter(({ job }) => job.averageKbps === averageKbps);
  const over = (of: (outcome: SamplesOutcome) => number): Estimate =>
    estimate(runs.map(({ outcome }) => of(outcome)));
  const spread = over(
    ({ fastBps, slowBps }) => deviationKbps(fastBps, ENOUGH) - deviationKbps(slowBps, ENOUGH),
  );
  const change = (of: 'fastBps' | 'slowBps'): Estimate =>
    over((outcome) =>
      Math.abs(deviationKbps(outcome[of], MAX_SAMPLES) / deviationKbps(outcome[of], ENOUGH) - 1),
    );
  const [fast, slow] = [change('fastBps'), change('slowBps')];
  const place = `Fig. 5, ${averageKbps} kbit/s on average`;
  return [
    {
      place,
      paper: 'The rate of the fast path varies more than that of the slow one',
      ours: `${estimateText(spread, 0, 'trials')}; kbit/s, the difference of standard deviations`,
      agrees: isAbove(spread, 0),
    },
    {
      place,
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
  const texts = pairs.map((step) => differenceOf(step).mean?.toFixed(0) ?? '-');
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
    const gain = differenceOf(pairs).mean?.toFixed(0) ?? '-';
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
    results.compared(
      bitrateKbps,
      mptcpAt(averageKbps, 0.5),
      mptcpAt(averageKbps, 0.8),
      (far, near) => far / near,
    ),
  );
  const pairs = joinBySeed(slow, fast);
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
