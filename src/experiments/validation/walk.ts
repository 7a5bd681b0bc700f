import { drawNormal, type Random } from '../../core';

/** A path's state: below 5 % of its mean rate, 5 to 40 %, or above. */
type State = 'outage' | 'weak' | 'good';

interface StateFit {
  /** Share of the time in this state. */
  share: number;
  /** Deciles of the length of a stay, from the least to the longest. */
  runSeconds: readonly number[];
  /** Deciles of the rate relative to the path's mean. */
  shareOfMean: readonly number[];
  /** Observed changes into the two other states. */
  next: readonly (readonly [State, number])[];
}

interface WalkFit {
  states: Readonly<Record<State, StateFit>>;
  /** Standard deviation of the rate's logarithm from one second to the next in `good`. */
  logStep: number;
}

export type WalkNetwork = 'wifi' | 'cellular';

/** A semi-Markov model fitted to 23 walks, 2 h in total, with both networks measured every second. */
const fits: Readonly<Record<WalkNetwork, WalkFit>> = {
  wifi: {
    states: {
      outage: {
        share: 0.15,
        runSeconds: [1, 1, 2, 2, 3, 4, 4, 6, 9, 12, 52],
        shareOfMean: [0, 0, 0, 0, 0, 0, 0, 0, 0.002, 0.023, 0.049],
        next: [
          ['weak', 34],
          ['good', 19],
        ],
      },
      weak: {
        share: 0.1,
        runSeconds: [1, 1, 1, 1, 1, 1, 2, 2, 4, 4, 15],
        shareOfMean: [0.055, 0.095, 0.125, 0.158, 0.187, 0.23, 0.261, 0.309, 0.338, 0.364, 0.4],
        next: [
          ['good', 69],
          ['outage', 44],
        ],
      },
      good: {
        share: 0.75,
        runSeconds: [1, 1, 2, 3, 5, 9, 11, 18, 25, 37, 88],
        shareOfMean: [0.402, 0.648, 0.839, 0.994, 1.08, 1.178, 1.306, 1.482, 1.707, 2.121, 5.257],
        next: [
          ['weak', 79],
          ['outage', 12],
        ],
      },
    },
    logStep: 0.26,
  },
  cellular: {
    states: {
      outage: {
        share: 0.02,
        runSeconds: [1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 7],
        shareOfMean: [0, 0, 0, 0, 0.001, 0.004, 0.011, 0.018, 0.03, 0.039, 0.047],
        next: [
          ['weak', 14],
          ['good', 1],
        ],
      },
      weak: {
        share: 0.08,
        runSeconds: [1, 1, 1, 1, 1, 2, 2, 3, 3, 6, 22],
        shareOfMean: [0.05, 0.081, 0.12, 0.154, 0.184, 0.212, 0.242, 0.277, 0.31, 0.35, 0.399],
        next: [
          ['good', 39],
          ['outage', 11],
        ],
      },
      good: {
        share: 0.9,
        runSeconds: [1, 1, 2, 3, 15, 32, 42, 49, 83, 98, 100],
        shareOfMean: [0.405, 0.725, 0.822, 0.891, 0.944, 0.996, 1.049, 1.14, 1.311, 1.556, 4.683],
        next: [
          ['weak', 29],
          ['outage', 7],
        ],
      },
    },
    logStep: 0.213,
  },
};

/** Share by which a `good` second is drawn back towards the rates of its state. */
const RETURN = 0.3;
/** Bounds of the random walk in `good`, relative to the mean. */
const MIN_GOOD = 0.41;
const MAX_GOOD = 4;

/** Rates of one network on a walk, second by second, relative to its mean in the long run. */
export function drawWalk(random: Random, network: WalkNetwork, seconds: number): number[] {
  const { states, logStep } = fits[network];
  const shares = Object.entries(states).map(([name, { share }]) => [name as State, share] as const);
  let state = pick(random, shares);
  const rates: number[] = [];
  while (rates.length < seconds) {
    const { runSeconds, shareOfMean, next } = states[state];
    const run = Math.max(1, Math.round(drawByDeciles(random, runSeconds)));
    let level = drawByDeciles(random, shareOfMean);
    for (let second = 0; second < run && rates.length < seconds; second += 1) {
      rates.push(level);
      const drawn = drawByDeciles(random, shareOfMean);
      if (state !== 'good') level = drawn;
      else {
        const walked = level * Math.exp(logStep * drawNormal(random));
        const bounded = Math.min(MAX_GOOD, Math.max(MIN_GOOD, walked));
        level = (1 - RETURN) * bounded + RETURN * drawn;
      }
    }
    state = pick(random, next);
  }
  return rates;
}

/** A value between two of equally likely neighbours. */
function drawByDeciles(random: Random, deciles: readonly number[]): number {
  const at = random() * (deciles.length - 1);
  const below = Math.min(Math.floor(at), deciles.length - 2);
  const [low = 0, high = 0] = deciles.slice(below);
  return low + (high - low) * (at - below);
}

function pick<Item>(random: Random, weighted: readonly (readonly [Item, number])[]): Item {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random() * total;
  for (const [item, weight] of weighted) {
    left -= weight;
    if (left < 0) return item;
  }
  const [last] = weighted[weighted.length - 1] ?? [];
  if (last === undefined) throw new RangeError('nothing to pick from');
  return last;
}
