import type { TraceStep } from './link-spec';
import { ROUNDED_STEP_MS } from './trace';

export const traceLengthMs = (steps: readonly TraceStep[]): number =>
  steps.reduce((sum, { durationMs }) => sum + durationMs, 0);

function cut(steps: readonly TraceStep[], fromMs: number, toMs: number): TraceStep[] {
  let endMs = 0;
  return steps.flatMap((step) => {
    const startMs = endMs;
    endMs += step.durationMs;
    const durationMs = Math.min(endMs, toMs) - Math.max(startMs, fromMs);
    return durationMs < ROUNDED_STEP_MS ? [] : [{ ...step, durationMs }];
  });
}

/**
 * A trace as it goes on at one of its times.
 * @param once it stays at its last step; else what comes before that time follows its end
 */
export function traceSteps(
  steps: readonly TraceStep[],
  fromMs: number,
  once: boolean | undefined,
): TraceStep[] {
  const lengthMs = traceLengthMs(steps);
  if (once !== true) {
    const atMs = fromMs % lengthMs;
    return [...cut(steps, atMs, lengthMs), ...cut(steps, 0, atMs)];
  }
  const rest = cut(steps, fromMs, lengthMs);
  return rest.length > 0 ? rest : steps.slice(-1);
}
