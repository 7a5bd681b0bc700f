import { halving } from '../core';

/** The rate of the coming segments as a Markov chain over relative levels. */
export interface RateChain {
  /** Ascending; level 0 is a failure of the best path. */
  levelsBps: readonly number[];
  /** Waiting time before the first byte of a segment that begins at the level. */
  delaysMs: readonly number[];
  /** Probability of each level for the next segment. */
  now: readonly number[];
  /** Probability from a level (row) to a level (column) from one segment to the next. */
  next: Float64Array;
}

/** The start of the chain. */
export interface RateBelief {
  rateBps: number;
  /** Standard deviation of the logarithm of the rate over the next segment, for rates below the forecast. */
  spread: number;
  /** The same for rates above it. */
  rise: number;
  /** Chance that the best path fails during a segment, now and later. */
  failureNow: number;
  failureLater: number;
  /** Share of the rate that remains then. */
  othersShare: number;
}

export const chainConfig = {
  /** Levels of the rate: 12 of 0.4 octaves, from a seventh to three times the forecast. */
  levels: 12,
  octaves: 0.4,
  /** Level of the forecast itself. */
  middle: 6,
  /**
   * Change of the rate's logarithm in 2 s, and its spread in the long run, in octaves. Measured on 80 radio traces:
   * 0.39 and 0.55 (LTE), 0.40 and 0.94 (3G), 0.52 and 0.63 (cellular on walks) of the natural logarithm.
   */
  stepOctaves: 0.58,
  longOctaves: 1,
  /** Errors of forecasts have heavy tails: this share of them has a spread 2.5 times as wide. */
  tailShare: 0.15,
  tailWidth: 2.5,
  /** A finer spread than the levels cannot be represented. */
  leastOctaves: 0.15,
  /** Waiting time of a segment whose best path fails: until the kernel has reinjected its data. */
  failureMs: 3000,
} as const;

const { levels, octaves, middle, longOctaves } = chainConfig;
const LN2 = 0.693_147_180_559_945_3;
/** Places of the levels, in octaves from the forecast. */
const PLACES = Array.from({ length: levels }, (_, level) => (level - middle) * octaves);
const FACTORS = PLACES.map((place) => 1 / halving(place));
const KEPT = Math.sqrt(1 - (chainConfig.stepOctaves / longOctaves) ** 2);
/** Transitions between the levels, without failures. They do not depend on the forecast. */
const STEPS = PLACES.map((place) => weights(KEPT * place, chainConfig.stepOctaves));
const LONG_RUN = weights(0, longOctaves);

/** The chain of a belief. */
export function rateChain(belief: RateBelief): RateChain {
  const { rateBps, spread, rise, failureNow, failureLater, othersShare } = belief;
  const size = levels + 1;
  const next = new Float64Array(size * size);
  const fill = (from: number, shares: readonly number[], failure: number): void => {
    next[from * size] = failure;
    shares.forEach((share, level) => {
      next[from * size + level + 1] = share * (1 - failure);
    });
  };
  fill(0, LONG_RUN, failureLater);
  STEPS.forEach((shares, level) => {
    fill(level + 1, shares, failureLater);
  });
  return {
    levelsBps: [rateBps * othersShare, ...FACTORS.map((factor) => rateBps * factor)],
    delaysMs: [chainConfig.failureMs, ...FACTORS.map(() => 0)],
    now: [
      failureNow,
      ...weights(0, spread / LN2, rise / LN2).map((share) => share * (1 - failureNow)),
    ],
    next,
  };
}

/** Shares of the levels around a place, with heavy tails; their sum is 1. */
function weights(place: number, belowOctaves: number, aboveOctaves = belowOctaves): number[] {
  const { tailShare, tailWidth, leastOctaves } = chainConfig;
  // exp(-z^2 / 2) as a power of 0.5, which every engine computes alike.
  const bell = (z: number): number => halving((z * z) / 2 / LN2);
  const raw = PLACES.map((one) => {
    const spread = one < place ? belowOctaves : aboveOctaves;
    const z = (one - place) / Math.max(leastOctaves, spread);
    return (1 - tailShare) * bell(z) + (tailShare / tailWidth) * bell(z / tailWidth);
  });
  const sum = raw.reduce((total, one) => total + one, 0);
  return raw.map((one) => one / sum);
}
