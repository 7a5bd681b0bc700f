import { halving, LN2 } from '../core';
import type { Uncertainty } from './abr-rule';

/** The rate of the coming segments as a Markov chain over relative levels. */
export interface RateChain {
  /** Level 0 is a failure of the best path, level 1 an outage of all, level 2 the return of a lost path; the rest ascends. */
  levelsBps: readonly number[];
  /** Waiting time before the first byte of a segment that begins at the level. */
  delaysMs: readonly number[];
  /** Probability of each level for the next segment. */
  now: readonly number[];
  /** Probability from a level (row) to a level (column) from one segment to the next. */
  next: Float64Array;
}

/** The start of the chain. */
export interface RateBelief extends Omit<Uncertainty, 'sizeSpread'> {
  rateBps: number;
}

export const chainConfig = {
  /** Levels of the rate: 12 of 0.4 octaves, from a seventh to three times the forecast. */
  levels: 12,
  octaves: 0.4,
  /** Level of the forecast itself. */
  middle: 6,
  /**
   * Spread of the rate's logarithm in the long run, in steps. Simulated training pairs: an error of a forecast after ten
   * segments is 2.7 to 3.8 times that after one.
   */
  longSteps: 3,
  /** Errors of forecasts have heavy tails: this share of them has a spread 2.5 times as wide. */
  tailShare: 0.15,
  tailWidth: 2.5,
  /** A finer spread than the levels cannot be represented. */
  minOctaves: 0.15,
} as const;

/** Levels before those of the rate: a failure, an outage and the return of a lost path. */
export const SPECIAL_LEVELS = 3;
/** The return. The two before it delay a segment once. */
export const RETURN_LEVEL = 2;

const { levels, octaves, middle, longSteps } = chainConfig;
/** Places of the levels, in octaves from the forecast. */
const PLACES = Array.from({ length: levels }, (_, level) => (level - middle) * octaves);
const FACTORS = PLACES.map((place) => 1 / halving(place));
/** Share of a deviation that remains after a step: it keeps the long-run spread. */
const KEPT = Math.sqrt(1 - 1 / (longSteps * longSteps));

/** The chain of a belief. */
export function rateChain(belief: RateBelief): RateChain {
  const { rateBps, spread, rise, step, failureNow, failureLater, othersShare, outage } = belief;
  const { rateBps: backBps, chance: back } = belief.back ?? { rateBps: 0, chance: 0 };
  const row = (failure: number, shares: readonly number[], returned = back): number[] => {
    const rest = 1 - failure - outage;
    const others = rest * (1 - returned);
    return [failure, outage, rest * returned, ...shares.map((share) => share * others)];
  };
  const stepOctaves = step / LN2;
  const wide = weights(0, longSteps * stepOctaves);
  const after = row(failureLater, wide);
  // A returned path is lost again with the chance of a failure.
  const returned = row(0, wide, 1 - failureLater);
  const rows = PLACES.map((place) => row(failureLater, weights(KEPT * place, stepOctaves)));
  return {
    levelsBps: [
      rateBps * othersShare,
      rateBps,
      rateBps + backBps,
      ...FACTORS.map((factor) => rateBps * factor),
    ],
    delaysMs: [belief.failureMs, belief.outageMs, 0, ...FACTORS.map(() => 0)],
    now: row(failureNow, weights(0, spread / LN2, rise / LN2)),
    next: Float64Array.from([after, after, returned, ...rows].flat()),
  };
}

/** Shares of the levels around a place, with heavy tails; their sum is 1. */
function weights(place: number, belowOctaves: number, aboveOctaves = belowOctaves): number[] {
  const { tailShare, tailWidth, minOctaves } = chainConfig;
  // exp(-z^2 / 2) as a power of 0.5, which every engine computes alike.
  const bell = (z: number): number => halving((z * z) / 2 / LN2);
  const raw = PLACES.map((one) => {
    const spread = one < place ? belowOctaves : aboveOctaves;
    const z = (one - place) / Math.max(minOctaves, spread);
    return (1 - tailShare) * bell(z) + (tailShare / tailWidth) * bell(z / tailWidth);
  });
  const sum = raw.reduce((total, one) => total + one, 0);
  return raw.map((one) => one / sum);
}

/** The expected rate of the next segment. */
export const chainMean = ({ now, levelsBps }: RateChain): number =>
  now.reduce((sum, chance, level) => sum + chance * (levelsBps[level] ?? 0), 0);
