import { mean } from '../../core';
import { estimate } from '../../report';
import { defaultPathUse } from '../../sim';
import { allOf, estimateText, isAbove } from '../estimate';
import { isLessByPairs, isMoreByPairs, type Pair } from '../judge';
import type { ExperimentClaim } from '../types';
import { PAPER_SETTINGS } from './figures';
import type { PathPair } from './jobs';
import { LARGEST_GAIN_PAIR } from './plan';
import {
  bitrateKbps,
  medianDelaySeconds,
  medianSpeedKbps,
  qoe,
  slowPercent,
  switches,
  type MptcpPlusResults,
  type SessionFilter,
  type Value,
} from './results';
import type { Variant } from './variants';

/** The abstract: "up to 50 %". */
const LARGEST_GAIN_PERCENT = 50;

type Panels = readonly PathPair[];

const placeText = ({ averageKbps, ratio }: PathPair): string =>
  `${averageKbps} kbit/s, C1/C2 ${ratio}`;

/** One variant beside another over one pair of paths. */
function beside(
  results: MptcpPlusResults,
  value: Value,
  place: PathPair & SessionFilter,
  variant: Variant = 'mptcp-plus',
  reference: Variant = 'mptcp',
): Pair[] {
  const one = { ...place, ...PAPER_SETTINGS, variant };
  return results.pairs(value, one, { ...one, variant: reference });
}

/** Each value as a share of its reference, so that panels of different rates can be pooled. */
const shares = (pairs: readonly Pair[]): Pair[] =>
  pairs.flatMap(([ours, reference]): Pair[] => (reference > 0 ? [[ours / reference, 1]] : []));

/**
 * A pair of means for each trial that has all panels: the panels are chosen and the trials are drawn, so only these vary by
 * chance.
 */
function byTrial(
  results: MptcpPlusResults,
  panels: Panels,
  pairsAt: (place: PathPair & SessionFilter) => readonly Pair[],
): Pair[] {
  const seeds = new Set(results.sessions({}).map(({ job }) => job.seed));
  return [...seeds].flatMap((seed): Pair[] => {
    const pairs = panels.flatMap((panel) => pairsAt({ ...panel, seed }));
    const [ours, reference] = ([0, 1] as const).map((side) => mean(pairs.map((one) => one[side])));
    const isWhole = pairs.length === panels.length;
    return isWhole && ours !== undefined && reference !== undefined ? [[ours, reference]] : [];
  });
}

interface Effect {
  place: string;
  /** "Segments take less time with MPTCP+". */
  paper: string;
  value: Value;
  direction: 'less' | 'more';
  /** The compared ones. MPTCP+ and MPTCP if there are none. */
  variants?: readonly [Variant, Variant];
}

/** Where the paper's rho takes the slow path out. */
const farApart = (panels: Panels): Panels =>
  panels.filter(({ ratio }) => ratio <= defaultPathUse.rho);

/**
 * A statement of the paper about a figure of several panels, by both readings: pooled over the panels, and in each of them.
 */
function effectClaims(
  results: MptcpPlusResults,
  places: Panels,
  { place, paper, value, direction, variants = ['mptcp-plus', 'mptcp'] }: Effect,
): ExperimentClaim[] {
  const judge = direction === 'less' ? isLessByPairs : isMoreByPairs;
  const pairsAt = (place: PathPair & SessionFilter): Pair[] =>
    beside(results, value, place, ...variants);
  const pooled = byTrial(results, places, (place) => shares(pairsAt(place)));
  const percent = estimate(pooled.map(([share]) => 100 * (share - 1)));
  const verdicts = places.map((panel) => ({ panel, agrees: judge(pairsAt(panel)) }));
  const named = (agrees: boolean | null): string =>
    verdicts
      .filter((one) => one.agrees === agrees)
      .map(({ panel }) => placeText(panel))
      .join('; ') || 'none';
  return [
    {
      place,
      paper: `${paper}, over all panels`,
      ours: `${estimateText(percent, 1, 'trials')}; % more or less`,
      agrees: judge(pooled),
    },
    {
      place,
      paper: `${paper}, in each panel`,
      ours: `so at ${named(true)}; not at ${named(false)}; undecided at ${named(null)}`,
      agrees: allOf(verdicts.map(({ agrees }) => agrees)),
    },
  ];
}

/**
 * Figs. 7 and 8, the abstract and the conclusion: MPTCP+ beside MPTCP.
 * @param panels pairs of paths that were played, that of Fig. 8a among them
 */
export function segmentClaims(results: MptcpPlusResults, panels: Panels): ExperimentClaim[] {
  return [
    ...effectClaims(results, panels, {
      place: 'Fig. 7',
      paper: 'Segments take less time with MPTCP+ than with MPTCP',
      value: medianDelaySeconds,
      direction: 'less',
    }),
    ...effectClaims(results, panels, {
      place: 'Fig. 8',
      paper: 'Segments come faster with MPTCP+ than with MPTCP',
      value: medianSpeedKbps,
      direction: 'more',
    }),
    largestGainClaim(results, panels),
    ...effectClaims(results, farApart(panels), {
      place: 'Section IV-B',
      paper:
        'MPTCP+ disables the low-throughput path: at C1/C2 of 0.2 and 0.5 it carries a smaller share of the bytes than with MPTCP',
      value: slowPercent,
      direction: 'less',
    }),
    ...effectClaims(results, panels, {
      place: 'Conclusion',
      paper: 'The path use decision helps DASH to higher bitrates',
      value: bitrateKbps,
      direction: 'more',
    }),
    switchesClaim(results, panels),
    qoeClaim(results, panels),
  ];
}

/** The abstract: "DASH can greatly benefit from the improved aggregated throughput by MPTCP". */
export const aggregationClaims = (results: MptcpPlusResults, panels: Panels): ExperimentClaim[] =>
  effectClaims(results, panels, {
    place: 'Abstract, MPTCP',
    paper:
      'DASH streams at a higher bitrate over both paths with MPTCP than over the fast one alone',
    value: bitrateKbps,
    direction: 'more',
    variants: ['mptcp', 'fast-alone'],
  });

/** "especially in the case of 1500Kbps average bandwidth and large inter-path throughput difference". */
function largestGainClaim(results: MptcpPlusResults, panels: Panels): ExperimentClaim {
  const gains = (panel: PathPair): number[] =>
    beside(results, medianSpeedKbps, panel).map(([plus, plain]) => plus - plain);
  const largest = gains(LARGEST_GAIN_PAIR);
  const others = panels.filter(
    ({ averageKbps, ratio }) =>
      averageKbps !== LARGEST_GAIN_PAIR.averageKbps || ratio !== LARGEST_GAIN_PAIR.ratio,
  );
  const verdicts = others.map((panel) => {
    const beaten = gains(panel);
    return isMoreByPairs(
      largest.flatMap((gain, trial): Pair[] => {
        const other = beaten[trial];
        return other === undefined ? [] : [[gain, other]];
      }),
    );
  });
  const means = others.flatMap((panel) => estimate(gains(panel)).mean ?? []);
  const next = means.length === 0 ? 'not run' : `${Math.max(...means).toFixed(0)} at most`;
  return {
    place: 'Fig. 8a',
    paper: 'The gain in speed is largest at 1500 kbit/s and a large difference of the paths',
    ours: `${estimateText(estimate(largest), 0, 'pairs')}; kbit/s at ${placeText(LARGEST_GAIN_PAIR)}, elsewhere ${next}`,
    agrees: allOf(verdicts),
  };
}

const switchesClaim = (results: MptcpPlusResults, panels: Panels): ExperimentClaim =>
  oscillationsClaim(
    results,
    panels,
    'mptcp-plus',
    'MPTCP+ causes fewer bitrate oscillations than MPTCP',
  );

/** The conclusion credits the congestion control with calmer windows, which "may lead to DASH bitrate oscillations". */
export const smoothingClaim = (results: MptcpPlusResults, panels: Panels): ExperimentClaim => ({
  ...oscillationsClaim(
    results,
    panels,
    'mcc-only',
    'The congestion control of MPTCP+ (MCC alone) causes fewer bitrate oscillations than MPTCP’s LIA',
  ),
  place: 'Conclusion, MCC',
});

function oscillationsClaim(
  results: MptcpPlusResults,
  panels: Panels,
  variant: Variant,
  paper: string,
): ExperimentClaim {
  const pairs = byTrial(results, panels, (place) => beside(results, switches, place, variant));
  return {
    place: 'Conclusion',
    paper,
    ours: `${estimateText(estimate(pairs.map(([plus, plain]) => plus - plain)), 1, 'trials')}; switches more or less, over all panels`,
    agrees: isLessByPairs(pairs),
  };
}

/** A gain in percent needs a positive reference: MPTCP's QoE is below 0 where it stalls for long. */
function qoeClaim(results: MptcpPlusResults, panels: Panels): ExperimentClaim {
  const played = panels.map((panel) => ({ panel, pairs: beside(results, qoe, panel) }));
  const isComparable = ({ pairs }: (typeof played)[number]): boolean =>
    pairs.every(([, reference]) => reference > 0);
  const gains = played.filter(isComparable).map(({ panel, pairs }) => ({
    panel,
    gain: estimate(shares(pairs).map(([share]) => 100 * (share - 1))),
  }));
  const left = played.filter((one) => !isComparable(one)).map(({ panel }) => placeText(panel));
  const means = gains.flatMap(({ gain }) => gain.mean ?? []);
  const best = gains.find(({ gain }) => gain.mean === Math.max(...means));
  const without =
    left.length === 0 ? '' : `; without ${left.join('; ')}, where MPTCP's QoE is not above 0`;
  return {
    place: 'Abstract',
    paper: `MPTCP+ increases the QoE by up to ${LARGEST_GAIN_PERCENT} % (judged: somewhere by as much)`,
    ours: best
      ? `at best by ${estimateText(best.gain, 0, 'pairs')}; % (${placeText(best.panel)}), at worst by ${Math.min(...means).toFixed(0)} %${without}`
      : `nothing to compare${without}`,
    agrees: best ? isAbove(best.gain, LARGEST_GAIN_PERCENT) : null,
  };
}
