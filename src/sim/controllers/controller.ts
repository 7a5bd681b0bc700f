import type { Ladder } from '../../core';

/** What a reference controller is told before each segment. */
export interface ControllerObservation {
  ladder: Ladder;
  /** -1 before the first. */
  currentRung: number;
  bufferMs: number;
  bufferTargetMs: number;
  segmentMs: number;
  /** Bits per second of the segments so far, oldest first. */
  throughputBps: readonly number[];
  /** Bytes of the next segments by rung, next first. */
  nextBytes: readonly (readonly number[])[];
}

/** A rule that chooses bitrates by itself, for comparison with ours. One object a session. */
export interface Controller {
  readonly name: string;
  choose(observation: ControllerObservation): number;
}

/** Highest rung that needs at most so much; the lowest when none does. */
export function highestBelow(ladder: Ladder, rateBps: number): number {
  let chosen = 0;
  for (const { index, bitrateBps } of ladder.rungs) if (bitrateBps <= rateBps) chosen = index;
  return chosen;
}

/** Harmonic mean of the last `count` values; undefined where there are none. */
export function harmonicMean(values: readonly number[], count: number): number | undefined {
  const last = values.slice(-count).filter((value) => value > 0);
  if (last.length === 0) return undefined;
  return last.length / last.reduce((sum, value) => sum + 1 / value, 0);
}
