import { harmonicMean, type ReferenceObservation } from './observation';

export interface SodaWeights {
  /** Beta: cost of a squared second of buffer below the target, beside a second of the lowest rung. */
  buffer: number;
  /** Gamma: cost of a switch between the lowest and the highest rung, in the same unit. */
  switching: number;
  /** Buffer to keep, as share of the player's buffer target. */
  targetShare: number;
  /** Epsilon: weight of buffer above the target relative to buffer below it; less than 1. */
  above: number;
}

/**
 * Chen et al. leave the weights to the viewer's preference. These are chosen, and not tuned.
 */
export const sodaWeights: SodaWeights = {
  buffer: 0.05,
  switching: 2,
  targetShare: 0.6,
  above: 0.2,
};

/** Longest horizon of the paper, section 5.2: forecasts beyond 10 s are too inaccurate. */
const HORIZON_MS = 10_000;
/** Segments of the sliding window that predicts throughput; the paper's deployment has a window too. */
const SEGMENTS = 5;

interface Problem {
  /** Bits per second, rising. */
  rates: readonly number[];
  /** 0 for the highest rung, 1 for the lowest. */
  distortion: readonly number[];
  rateBps: number;
  stepS: number;
  targetS: number;
  maxS: number;
  weights: SodaWeights;
}

interface Plan {
  rung: number;
  cost: number;
}

/**
 * SODA (Chen et al., SIGCOMM 2024): distortion, distance from a buffer target and switches, summed over time
 * steps of a segment at the predicted throughput. Only rising and falling sequences are searched (section
 * 5.3, algorithm 1), and no rung above the least one that exceeds the throughput is taken (section 5.1).
 */
export function soda(observation: ReferenceObservation, weights = sodaWeights): number {
  const { ladder, throughputBps, currentRung, bufferMs, bufferTargetMs, segmentMs } = observation;
  const rateBps = harmonicMean(throughputBps, SEGMENTS);
  if (rateBps === undefined) return 0;
  const rates = ladder.rungs.map(({ bitrateBps }) => bitrateBps);
  const [lowest = 1, highest = 1] = [rates[0], rates.at(-1)];
  const span = Math.log(highest / lowest) || 1;
  const problem: Problem = {
    rates,
    distortion: rates.map((bps) => Math.log(highest / bps) / span),
    rateBps,
    stepS: segmentMs / 1000,
    targetS: (weights.targetShare * bufferTargetMs) / 1000,
    // A player requests a segment while its buffer is below the target, so it holds up to one segment more.
    maxS: (bufferTargetMs + segmentMs) / 1000,
    weights,
  };
  const steps = Math.max(1, Math.floor(HORIZON_MS / segmentMs));
  const above = rates.findIndex((bps) => bps >= rateBps);
  const cap = above < 0 ? rates.length - 1 : above;
  const from = Math.max(0, currentRung);
  const up = search(problem, bufferMs / 1000, from, steps, 1);
  const down = search(problem, bufferMs / 1000, from, steps, -1);
  const best = up !== undefined && up.cost < (down?.cost ?? Infinity) ? up : down;
  // No sequence keeps the buffer in its range: an empty one needs the lowest rung, a full one the cap.
  const chosen = best?.rung ?? (bufferMs / 1000 < problem.targetS ? 0 : cap);
  return Math.min(chosen, cap);
}

/** The cheapest sequence that only rises (`way` 1) or falls (-1) from a rung. */
function search(
  problem: Problem,
  bufferS: number,
  from: number,
  steps: number,
  way: 1 | -1,
): Plan | undefined {
  const { rates, distortion, rateBps, stepS, targetS, maxS, weights } = problem;
  let best: Plan | undefined;
  for (let rung = from; rung >= 0 && rung < rates.length; rung += way) {
    const loadedS = (rateBps * stepS) / (rates[rung] ?? 1);
    const afterS = bufferS + loadedS - stepS;
    if (afterS < 0 || afterS > maxS) continue;
    const isBelow = afterS <= targetS;
    const switched = (distortion[rung] ?? 0) - (distortion[from] ?? 0);
    let cost =
      (distortion[rung] ?? 0) * loadedS +
      weights.buffer * (isBelow ? 1 : weights.above) * (afterS - targetS) * (afterS - targetS) +
      weights.switching * switched * switched;
    if (steps > 1) {
      const rest = search(problem, afterS, rung, steps - 1, way);
      if (rest === undefined) continue;
      cost += rest.cost;
    }
    if (cost < (best?.cost ?? Infinity)) best = { rung, cost };
  }
  return best;
}
