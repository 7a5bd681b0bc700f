import { expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { createPathEstimator, forecast, memorablePaths, observeRequestStart } from '.';
import { observeSamples } from './observe-samples';
import type { PathEstimatorState } from './state';

const remembered = [
  { pathId: 'wifi', address: 'addr-wifi', rateBps: 5e6 },
  { pathId: 'lte', address: 'addr-elsewhere', rateBps: 9e6 },
];

/** Milliseconds of samples with a request outstanding, after a first one with nothing. */
function follow(from: PathEstimatorState, wifiBps: number, ms: number): PathEstimatorState {
  let state = observeRequestStart(from, { requestId: 1, startMs: 0 });
  for (let nowMs = 0; nowMs <= ms; nowMs += 100) {
    const subflows = [subflow('wifi', (wifiBps * nowMs) / 8000), subflow('lte', 0)];
    state = observeSamples(state, batch(nowMs, [connection(subflows)]));
  }
  return state;
}

test('a network starts at its earlier rate with low confidence; the same interface elsewhere starts at nothing', () => {
  const state = follow(createPathEstimator(remembered), 0, 0);
  const { rateBps, confidence, paths } = forecast(state, 0);
  expect(paths.map(({ rateBps: own }) => Math.round(own))).toEqual([0, 5e6]);
  expect(rateBps).toBeCloseTo(5e6, 3);
  expect(confidence).toBeGreaterThan(0.1);
  expect(confidence).toBeLessThan(0.2);
});

test('measurements outweigh it within half a second', () => {
  const { paths } = forecast(follow(createPathEstimator(remembered), 1e6, 600), 600);
  expect(paths.find(({ pathId }) => pathId === 'wifi')?.rateBps).toBeLessThan(2.3e6);
});

test('only a second of measurements is stored, not a stored value', () => {
  expect(memorablePaths(follow(createPathEstimator(remembered), 0, 0))).toEqual([]);
  expect(memorablePaths(follow(createPathEstimator(), 4e6, 3000))).toEqual([
    { pathId: 'wifi', address: 'addr-wifi', rateBps: 4e6 },
  ]);
});
