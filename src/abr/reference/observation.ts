import type { Ladder } from '../../core';

/** Input of a reference rule before each segment: what an unmodified player knows. */
export interface ReferenceObservation {
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

/** A rule of the literature, for comparison with ours. Pure: the history is in the observation. */
export type ReferenceRule = (observation: ReferenceObservation) => number;

/** The highest rung that needs at most this rate; the lowest if none does. */
export function highestBelow(ladder: Ladder, rateBps: number): number {
  let chosen = 0;
  for (const { index, bitrateBps } of ladder.rungs) if (bitrateBps <= rateBps) chosen = index;
  return chosen;
}

/** Harmonic mean of the last `count` values; undefined without values. */
export function harmonicMean(values: readonly number[], count: number): number | undefined {
  const last = values.slice(-count).filter((value) => value > 0);
  if (last.length === 0) return undefined;
  return last.length / last.reduce((sum, value) => sum + 1 / value, 0);
}
