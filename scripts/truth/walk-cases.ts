import { drawPairs, pairScenario, type PairScenario, type PairSet } from '../../src/experiments';

/** Walks of the truth table, by number. They belong to the training set: the simulator is designed on them. */
export const WALKS = 12;
const WALK_SEED = 16;
export const WALK_SECONDS = 60;
export const OVER = ['mptcp', 'ranges', 'wifi', 'lte'] as const;
export type Over = (typeof OVER)[number];

export const SEGMENT_MS = 2000;
export const LADDER_BPS = [300e3, 600e3, 1e6, 1800e3, 3e6, 4500e3, 6e6];
export const BUFFER_MS = 18_000;

export const MANIFEST_BYTES = 4000;
export const INIT_BYTES = 900;
export const segmentPath = (rung: number): string => `/segment-${rung}.m4s`;
export const segmentBytes = (rung: number): number => ((LADDER_BPS[rung] ?? 0) * SEGMENT_MS) / 8000;

/** A session of RobustMPC over one of a walk's carriages. */
export interface WalkResult {
  /** Media bits over the time in which a request was under way. */
  goodputBps: number;
  startMs: number;
  stalledMs: number;
  /** Linear, per segment, the start priced as a stall; Mbit/s. */
  qoe: number;
  /** Byte ranges in the lab: bytes that came twice, of those that came. */
  twiceShare?: number;
}

export interface Fetched {
  rung: number;
  startMs: number;
  endMs: number;
}

/** Measures a session alike on both sides. */
export function measured(
  fetched: readonly Fetched[],
  startMs: number,
  stalledMs: number,
): WalkResult {
  const rates = fetched.map(({ rung }) => (LADDER_BPS[rung] ?? 0) / 1e6);
  const top = (LADDER_BPS.at(-1) ?? 0) / 1e6;
  const steps = rates.slice(1).map((rate, index) => Math.abs(rate - (rates[index] ?? rate)));
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  const bits = sum(fetched.map(({ rung }) => segmentBytes(rung) * 8));
  // A segment that is requested early counts from the end of the one before it.
  const busyMs = sum(
    fetched.map(({ startMs: from, endMs }, index) =>
      Math.max(0, endMs - Math.max(from, fetched[index - 1]?.endMs ?? 0)),
    ),
  );
  return {
    goodputBps: (bits * 1000) / Math.max(1, busyMs),
    startMs,
    stalledMs,
    qoe:
      (sum(rates) - sum(steps) - (top * (startMs + stalledMs)) / 1000) / Math.max(1, rates.length),
  };
}

export function walkScenario(number: number, set: PairSet = 'training'): PairScenario {
  const pairs = drawPairs({
    set,
    kind: 'walk',
    count: number + 1,
    seed: WALK_SEED,
    seconds: WALK_SECONDS,
    read: () => {
      throw new Error('walks need no files');
    },
  });
  const pair = pairs[number];
  if (pair === undefined) throw new RangeError(`there is no walk ${number}`);
  return pairScenario({ key: `walk ${number}`, pair, durationMs: WALK_SECONDS * 1000 });
}
