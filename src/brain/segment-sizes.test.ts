import { expect, test } from 'vitest';
import type { BrainObservation, BrainState } from '.';
import { createBrain, stepBrain } from '.';
import { addSize, noSizes, sizeConfig, sizeSpread } from './segment-sizes';
import { expectRate } from './forecast-errors';

const after = (bytes: readonly number[]): number =>
  sizeSpread(bytes.reduce((sizes, one) => addSize(sizes, one, 1000), noSizes));

test('the spread of sizes follows the film', () => {
  expect(after([])).toBeCloseTo(sizeConfig.first, 9);
  expect(after(Array<number>(40).fill(1000))).toBeLessThan(0.05);
  expect(after([500, 2000, 500, 2000, 500, 2000])).toBeGreaterThan(0.5);
  // A manifest may state the peak: that is no variation.
  expect(after(Array<number>(60).fill(600))).toBeLessThan(0.05);
});

test('a size that is no number is none, and a mistake is bounded', () => {
  expect(addSize(noSizes, NaN, 1000)).toBe(noSizes);
  expect(addSize(noSizes, 1000, 0)).toBe(noSizes);
  expect(addSize(noSizes, 1000, NaN)).toBe(noSizes);
  expect(after([1e9])).toBe(after([4000]));
});

const observation: BrainObservation = {
  monotonicMs: 0,
  trigger: 'tick',
  ladders: [],
  currentRung: {},
  bufferMs: {},
  bufferTargetMs: 18_000,
  playing: true,
  requests: [],
  segmentDurationMs: {},
  control: 'all',
};

test('learns from whole video segments of which only the bit rate was known', () => {
  const start = createBrain({ policy: 'model', abr: 'multipath' });
  const end = (statedBytes: number | undefined, outcome: 'ok' | 'abandoned'): BrainState => {
    const forecast = { atMs: 0, rateBps: 4e6, spread: 0.3, pendingBytes: 0, statedBytes };
    const decided = { ...start, errors: expectRate(start.errors, forecast) };
    const media = { requestId: 1, mediaType: 'video' as const, startMs: 0 };
    const sent = stepBrain(decided, { type: 'request-start', request: media }).state;
    const done = { ...media, endMs: 1000, bytes: 500_000, outcome };
    return stepBrain(sent, { type: 'request-end', request: done }).state;
  };
  expect(end(250_000, 'ok').sizes).toEqual(addSize(noSizes, 2, 1));
  expect(end(250_000, 'abandoned').sizes).toBe(noSizes);
  expect(end(undefined, 'ok').sizes).toBe(noSizes);
  expect(stepBrain(start, { type: 'decide', observation }).state.sizes).toBe(noSizes);
});
