import { estimate } from '../../report';
import { allOf, estimateText, isAbove } from '../estimate';
import { isMoreByPairs, joinBySeed, minChange, type BySeed } from '../judge';
import type { ExperimentClaim } from '../types';
import { PAPER_SETTINGS } from './figures';
import type { PathPair } from './jobs';
import { beside, placeText, shares, type Panels } from './panels';
import { LARGEST_GAIN_PAIR } from './plan';
import { medianSpeedKbps, qoe, type MptcpPlusResults, type SessionFilter } from './results';
import type { Variant } from './variants';

/** The abstract: "up to 50 %". */
const LARGEST_GAIN_PERCENT = 50;

/** "especially in the case of 1500Kbps average bandwidth and large inter-path throughput difference", by two readings. */
export function largestGainClaims(results: MptcpPlusResults, panels: Panels): ExperimentClaim[] {
  const settings = (panel: PathPair, variant: Variant): SessionFilter => ({
    ...panel,
    ...PAPER_SETTINGS,
    variant,
  });
  const gains = (of: (plus: number, plain: number) => number) => (panel: PathPair) =>
    results.compared(medianSpeedKbps, settings(panel, 'mptcp-plus'), settings(panel, 'mptcp'), of);
  const speed = results.estimate(medianSpeedKbps, settings(LARGEST_GAIN_PAIR, 'mptcp'));
  return [
    largestGainClaim(
      panels,
      gains((plus, plain) => plus - plain),
      'kbit/s',
      minChange(speed.mean ?? 0),
    ),
    largestGainClaim(
      panels,
      gains((plus, plain) => 100 * (plus / plain - 1)),
      '% of MPTCP’s speed',
      minChange(100),
    ),
  ];
}

/** @param least a lead that counts, in the gains' unit: the gains themselves may be about 0 */
function largestGainClaim(
  panels: Panels,
  gains: (panel: PathPair) => BySeed,
  unit: string,
  least: number,
): ExperimentClaim {
  const largest = gains(LARGEST_GAIN_PAIR);
  const others = panels.filter(
    ({ averageKbps, ratio }) =>
      averageKbps !== LARGEST_GAIN_PAIR.averageKbps || ratio !== LARGEST_GAIN_PAIR.ratio,
  );
  const verdicts = others.map((panel) => isMoreByPairs(joinBySeed(largest, gains(panel)), least));
  const means = others.flatMap((panel) => estimate([...gains(panel).values()]).mean ?? []);
  const next = means.length === 0 ? 'not run' : `${Math.max(...means).toFixed(0)} at most`;
  return {
    place: 'Fig. 8a',
    paper: `The gain in speed is largest at 1500 kbit/s and a large difference of the paths, in ${unit}`,
    ours: `${estimateText(estimate([...largest.values()]), 0, 'pairs')} at ${placeText(LARGEST_GAIN_PAIR)}, elsewhere ${next}`,
    agrees: allOf(verdicts),
  };
}

/** A gain in percent needs a positive reference: MPTCP's QoE is below 0 where it stalls for long. */
export function qoeClaim(results: MptcpPlusResults, panels: Panels): ExperimentClaim {
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
