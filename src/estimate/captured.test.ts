import { expect, test } from 'vitest';
import { mean, type SubflowSample } from '../core';
import { batch, connection, subflow } from '../core/testing/samples';
import {
  createPathEstimator,
  forecast,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
  type PathEstimatorState,
} from '.';
import captured from './testing/captured-unlike-paths.json';

interface Step {
  atMs: number;
  apply: (state: PathEstimatorState) => PathEstimatorState;
}

function steps(): Step[] {
  const list: Step[] = [];
  for (const [atMs, inOrderBytes, raw] of captured.samples as [number, number, unknown[][]][]) {
    const subflows: SubflowSample[] = raw.map(([path, bytes, rcvRttUs]) =>
      subflow(String(path), Number(bytes), { rcvRttUs: Number(rcvRttUs) }),
    );
    const connections = subflows.length > 0 ? [connection(subflows, { inOrderBytes })] : [];
    list.push({ atMs, apply: (state) => observeSamples(state, batch(atMs, connections)) });
  }
  for (const [i, [startMs = 0, firstByteMs, endMs = 0, bytes = 0]] of captured.requests.entries()) {
    const request = { requestId: i, startMs, firstByteMs, endMs, bytes, outcome: 'ok' as const };
    list.push({ atMs: startMs, apply: (state) => observeRequestStart(state, request) });
    list.push({ atMs: endMs, apply: (state) => observeRequestEnd(state, request) });
  }
  return list.sort((a, b) => a.atMs - b.atMs);
}

test('on a real kernel with unlike paths, the forecast says that the fast path alone delivers more', () => {
  const goodputs = captured.requests.map(([start = 0, , end = 0, bytes = 0]) => ({
    startMs: start,
    bps: (bytes * 8000) / (end - start),
  }));
  /** Forecast over the next segment's real rate. */
  const ratios: number[] = [];
  let state = createPathEstimator();
  for (const { atMs, apply } of steps()) {
    // The estimate just before each request, after the first few measured both paths.
    const next = goodputs.slice(4).find(({ startMs }) => startMs === atMs);
    const now = forecast(state, atMs);
    state = apply(state);
    if (!next || ratios.length >= goodputs.length) continue;
    expect(now.basis).toBe('paths');
    ratios.push(now.rateBps / next.bps);
    // Alone it has 5 Mbit/s, and together they delivered 2 to 3.
    const alone = Math.max(...now.paths.map(({ rateBps }) => rateBps));
    expect(alone).toBeGreaterThan(4.5e6);
    expect(now.rateBps).toBeLessThan(alone);
  }
  expect(ratios.length).toBeGreaterThanOrEqual(8);
  // The closed form does not know what losses on the slow path cost: a set that nobody should use looks 1.6 times as good.
  const expected = mean(ratios) ?? NaN;
  expect(expected).toBeGreaterThan(0.8);
  expect(expected).toBeLessThan(1.75);
});
