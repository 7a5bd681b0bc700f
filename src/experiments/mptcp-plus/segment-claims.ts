import { estimate } from '../../report';
import { defaultPathUse } from '../../sim';
import { allOf, estimateText } from '../estimate';
import { differenceOf, isLessByPairs, isMoreByPairs } from '../judge';
import type { ExperimentClaim } from '../types';
import { PAPER_SETTINGS } from './figures';
import { largestGainClaims, qoeClaim } from './gain-claims';
import { beside, byTrial, placeText, shares, type Panels } from './panels';
import {
  bitrateKbps,
  medianDelaySeconds,
  medianSpeedKbps,
  outageSeconds,
  slowPercent,
  switches,
  type MptcpPlusResults,
  type Value,
} from './results';
import type { Variant } from './variants';

interface Effect {
  /** Where the paper has it. */
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

/** A statement of the paper about a figure of several panels, by both readings: pooled over the panels, and in each of them. */
const effectClaims = (
  results: MptcpPlusResults,
  places: Panels,
  effect: Effect,
): ExperimentClaim[] => [pooledClaim(results, places, effect), eachClaim(results, places, effect)];

const BOTH = ['mptcp-plus', 'mptcp'] as const;

const judgeOf = ({ direction }: Effect): typeof isLessByPairs =>
  direction === 'less' ? isLessByPairs : isMoreByPairs;

function pooledClaim(results: MptcpPlusResults, places: Panels, effect: Effect): ExperimentClaim {
  const { place, paper, value, variants = BOTH } = effect;
  const pooled = byTrial(results, places, (panel) =>
    shares(beside(results, value, panel, ...variants)),
  );
  const percent = estimate(pooled.map(([share]) => 100 * (share - 1)));
  return {
    place,
    paper: `${paper}, over all panels`,
    ours: `${estimateText(percent, 1, 'trials')}; % more or less`,
    agrees: judgeOf(effect)(pooled),
  };
}

function eachClaim(results: MptcpPlusResults, places: Panels, effect: Effect): ExperimentClaim {
  const { place, paper, value, variants = BOTH } = effect;
  const verdicts = places.map((panel) => ({
    panel,
    agrees: judgeOf(effect)(beside(results, value, panel, ...variants)),
  }));
  const named = (agrees: boolean | null): string =>
    verdicts
      .filter((one) => one.agrees === agrees)
      .map(({ panel }) => placeText(panel))
      .join('; ') || 'none';
  return {
    place,
    paper: `${paper}, in each panel`,
    ours: `so at ${named(true)}; not at ${named(false)}; undecided at ${named(null)}`,
    agrees: allOf(verdicts.map(({ agrees }) => agrees)),
  };
}

/**
 * Figs. 7 and 8, the abstract and the conclusion: MPTCP+ beside MPTCP.
 * @param panels pairs of paths that were played, that of Fig. 8a among them
 * @param options.pathUse the path use decision: alone, or with MCC where it was not played alone
 */
export function segmentClaims(
  results: MptcpPlusResults,
  panels: Panels,
  { pathUse }: { pathUse: 'pud-only' | 'mptcp-plus' },
): ExperimentClaim[] {
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
    ...largestGainClaims(results, panels),
    ...effectClaims(results, farApart(panels), {
      place: 'Section IV-B',
      paper:
        'MPTCP+ disables the low-throughput path: at C1/C2 of 0.2 and 0.5 it carries a smaller share of the bytes than with MPTCP',
      value: slowPercent,
      direction: 'less',
    }),
    ...effectClaims(results, farApart(panels), {
      place: 'Conclusion, path use',
      paper: `The path use decision${pathUse === 'pud-only' ? ' alone' : ', here with MCC,'} helps DASH to higher bitrates by disabling very slow paths: at C1/C2 of 0.2 and 0.5`,
      value: bitrateKbps,
      direction: 'more',
      variants: [pathUse, 'mptcp'],
    }),
    switchesClaim(results, panels),
    qoeClaim(results, panels),
    rebufferingClaim(results, panels),
  ];
}

/** Least time stalled in a session that counts. */
const LEAST_STALL_SECONDS = 0.1;

/** Section II-A and the abstract: paths far apart lead to "low bitrates or frequent rebuffering". Fig. 6 has the bitrates. */
function rebufferingClaim(results: MptcpPlusResults, panels: Panels): ExperimentClaim {
  const ratios = panels.map(({ ratio }) => ratio);
  const [far, near] = [Math.min(...ratios), Math.max(...ratios)];
  const pairs = byTrial(
    results,
    panels.filter(({ ratio }) => ratio === far),
    (place) => {
      const one = { ...place, ...PAPER_SETTINGS, variant: 'mptcp' as const };
      return results.pairs(outageSeconds, one, { ...one, ratio: near });
    },
  );
  return {
    place: 'Section II-A',
    paper: `Paths far apart lead to rebuffering: MPTCP stalls longer at C1/C2 of ${far} than of ${near}`,
    ours: `${estimateText(differenceOf(pairs), 2, 'trials')}; seconds more`,
    agrees: isMoreByPairs(pairs, LEAST_STALL_SECONDS),
  };
}

/** The abstract: "DASH can greatly benefit from the improved aggregated throughput by MPTCP". Of paths far apart it says the contrary. */
export const aggregationClaim = (results: MptcpPlusResults, panels: Panels): ExperimentClaim =>
  pooledClaim(results, panels, {
    place: 'Abstract, MPTCP',
    paper:
      'DASH streams at a higher bitrate over both paths with MPTCP than over the fast one alone',
    value: bitrateKbps,
    direction: 'more',
    variants: ['mptcp', 'fast-alone'],
  });

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
    ours: `${estimateText(differenceOf(pairs), 1, 'trials')}; switches more or less, over all panels`,
    agrees: isLessByPairs(pairs),
  };
}
