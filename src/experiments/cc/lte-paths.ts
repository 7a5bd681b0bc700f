import { createRandom } from '../../core';
import type { DirectionSpec, TraceStep } from '../../scenario';
import type { LtePath } from './job';

/** Properties of one path besides its rate. */
interface LteShape {
  /** Below `scenarios/`. */
  trace: string;
  /** One way. */
  delayMs: number;
  jitterMs: number;
}

/**
 * Round trips of 70 and 48 ms and the jitter of Table 3 and Fig. 3, where the second path (Wi-Fi before its
 * LTE) varies more. The rates are LTE traces too, recorded while walking, from the shipped collection.
 */
export const LTE_SHAPES: readonly LteShape[] = [
  { trace: 'traces/lte-foot-4.json', delayMs: 35, jitterMs: 2 },
  { trace: 'traces/lte-foot-5.json', delayMs: 24, jitterMs: 4 },
];

/** Mean rate of both traces: Table 3's fastest moments are 23.6 Mbit/s over both. */
const MEAN_BPS = 12e6;
/**
 * The paper watched the signal "to maintain appropriate test conditions", so intervals with lower rates are left
 * out.
 */
const MIN_BPS = 3e6;
/** Radio losses: Table 3 has about one or two per second and path. */
const LOSS_RATIO = 0.003;
/** 40 ms at the mean rate. */
const QUEUE_BYTES = 60_000;
/** Rate of the way back, which carries acknowledgements only. Chosen; no measurement. */
const UPLINK_BPS = 10e6;

/** @returns the trace scaled to the given mean rate */
function scaled(steps: readonly TraceStep[]): TraceStep[] {
  const ms = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const bits = steps.reduce((sum, { durationMs, rateBps }) => sum + durationMs * rateBps, 0);
  return steps.map((step) => ({ ...step, rateBps: (step.rateBps * MEAN_BPS * ms) / bits }));
}

/** The part of a trace from `fromMs` on, `lengthMs` long. */
function cut(steps: readonly TraceStep[], fromMs: number, lengthMs: number): TraceStep[] {
  const part: TraceStep[] = [];
  let startMs = 0;
  for (const step of steps) {
    const endMs = startMs + step.durationMs;
    const durationMs = Math.min(endMs, fromMs + lengthMs) - Math.max(startMs, fromMs);
    if (durationMs > 0) part.push({ ...step, durationMs });
    startMs = endMs;
  }
  return part;
}

/**
 * An interval of a trace, chosen by seed among those that start at a step and never fall too low.
 * @throws RangeError if there is none
 */
function stretch(
  { trace }: LteShape,
  steps: readonly TraceStep[],
  seed: number,
  lengthMs: number,
): TraceStep[] {
  const totalMs = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
  let startMs = 0;
  const stretches = steps.flatMap(({ durationMs }) => {
    const part = cut(steps, startMs, lengthMs);
    const isWhole = startMs + lengthMs <= totalMs;
    startMs += durationMs;
    return isWhole && part.every(({ rateBps }) => rateBps >= MIN_BPS) ? [part] : [];
  });
  const found = stretches[Math.floor(createRandom(seed)() * stretches.length)];
  if (found === undefined) {
    throw new RangeError(
      `${trace} has no ${lengthMs / 1000} s in which the rate stays above ${MIN_BPS / 1e6} Mbit/s`,
    );
  }
  return found;
}

/**
 * Both LTE paths of one trial.
 * @param steps of each path's trace
 * @throws RangeError if a trace has no suitable interval
 */
export function ltePaths(
  steps: readonly (readonly TraceStep[])[],
  seed: number,
  durationMs: number,
): LtePath[] {
  return LTE_SHAPES.map((shape, index): LtePath => {
    const { trace, delayMs, jitterMs } = shape;
    const part = stretch(
      shape,
      scaled(steps[index] ?? []),
      seed * LTE_SHAPES.length + index,
      durationMs,
    );
    const queue = { discipline: 'droptail' as const };
    const both: DirectionSpec = { delayMs, queue, queueBytes: QUEUE_BYTES };
    const jitter = { shape: 'normal' as const, spreadMs: jitterMs };
    return {
      down: {
        ...both,
        trace: { file: trace, steps: part, once: true },
        jitter,
        lossRatio: LOSS_RATIO,
      },
      up: { ...both, rateBps: UPLINK_BPS },
    };
  });
}
