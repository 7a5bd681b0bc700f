import { createRandom, mean, type Random } from '../../core';
import type { TopologyName } from './switch-graph';

export const CLIENT_COUNTS = [5, 10, 20, 30] as const;
export type ClientCount = (typeof CLIENT_COUNTS)[number];

/** Mean and standard deviation of the links' bandwidth in Mbit/s, by number of clients (Tables I and II). */
export const LINK_TABLE: Readonly<
  Record<TopologyName, Readonly<Record<ClientCount, { mean: number; deviation: number }>>>
> = {
  compuserve: {
    5: { mean: 7.33, deviation: 2.46 },
    10: { mean: 13.06, deviation: 6.42 },
    20: { mean: 21.64, deviation: 7.76 },
    30: { mean: 23.21, deviation: 12.99 },
  },
  custom: {
    5: { mean: 6.7, deviation: 2.5 },
    10: { mean: 14.09, deviation: 6.12 },
    20: { mean: 20.38, deviation: 6.87 },
    30: { mean: 20.12, deviation: 10.35 },
  },
  jellyfish: {
    5: { mean: 6.91, deviation: 2.16 },
    10: { mean: 13.7, deviation: 5.98 },
    20: { mean: 19.38, deviation: 7.77 },
    30: { mean: 21.16, deviation: 13.03 },
  },
};

/** Delays are Poisson in steps of this size, one to ten steps per link: "between 10 ms to 100 ms". */
const DELAY_STEP_MS = 10;
const MEAN_STEPS = 4;
const MAX_STEPS = 10;
/** Minimum rate of a link. */
const MIN_MBPS = 1;

export interface LinkValues {
  rateBps: number;
  /** One way. */
  delayMs: number;
}

/**
 * Values of each link. Rates follow a Poisson distribution in steps whose size gives the deviation, then are
 * shifted and scaled to the mean and deviation of the tables. They are drawn again if a link would have less
 * than 1 Mbit/s.
 */
export function drawLinks(
  count: number,
  { mean: meanMbps, deviation }: { mean: number; deviation: number },
  seed: number,
): LinkValues[] {
  const random = createRandom(seed);
  const delays = Array.from({ length: count }, () => {
    const steps = Math.min(Math.max(drawPoisson(MEAN_STEPS, random), 1), MAX_STEPS);
    return steps * DELAY_STEP_MS;
  });
  const step = deviation ** 2 / meanMbps;
  for (;;) {
    const drawn = Array.from({ length: count }, () => step * drawPoisson(meanMbps / step, random));
    const fitted = fit(drawn, meanMbps, deviation);
    if (fitted.every((mbps) => mbps >= MIN_MBPS)) {
      return fitted.map((mbps, i) => ({
        rateBps: Math.round(mbps * 1000) * 1000,
        delayMs: delays[i] ?? DELAY_STEP_MS,
      }));
    }
  }
}

function fit(values: readonly number[], wantedMean: number, wantedDeviation: number): number[] {
  const centre = mean(values) ?? 0;
  const spread = Math.sqrt(mean(values.map((value) => (value - centre) ** 2)) ?? 0);
  // All drawn values are equal, so the sample cannot be stretched.
  if (spread === 0) return values.map(() => 0);
  return values.map((value) => wantedMean + ((value - centre) / spread) * wantedDeviation);
}

/** Knuth's method: uniform numbers are multiplied until they fall below e^-mean. */
export function drawPoisson(expected: number, random: Random): number {
  const limit = Math.exp(-expected);
  let product = random();
  let count = 0;
  while (product > limit) {
    product *= random();
    count += 1;
  }
  return count;
}
