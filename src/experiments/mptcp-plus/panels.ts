import { mean } from '../../core';
import type { Pair } from '../judge';
import { PAPER_SETTINGS } from './figures';
import type { PathPair } from './jobs';
import type { MptcpPlusResults, SessionFilter, Value } from './results';
import type { Variant } from './variants';

export type Panels = readonly PathPair[];

export const placeText = ({ averageKbps, ratio }: PathPair): string =>
  `${averageKbps} kbit/s, C1/C2 ${ratio}`;

/** One variant beside another over one pair of paths. */
export function beside(
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
export const shares = (pairs: readonly Pair[]): Pair[] =>
  pairs.flatMap(([ours, reference]): Pair[] => (reference > 0 ? [[ours / reference, 1]] : []));

/**
 * A pair of means for each trial that has all panels: the panels are chosen and the trials are drawn, so only these vary by
 * chance.
 */
export function byTrial(
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
