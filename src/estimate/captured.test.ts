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
import { setEfficiency } from './efficiency';
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

test('on a real kernel with unlike paths the forecast is what the next segment gets', () => {
  const goodputs = captured.requests.map(([start = 0, , end = 0, bytes = 0]) => ({
    startMs: start,
    bps: (bytes * 8000) / (end - start),
  }));
  const ratios: number[] = [];
  const safeRatios: number[] = [];
  let state = createPathEstimator();
  for (const { atMs, apply } of steps()) {
    // The estimate just before each request, after the first few taught the set.
    const next = goodputs.slice(4).find(({ startMs }) => startMs === atMs);
    const now = forecast(state, atMs);
    state = apply(state);
    if (!next || ratios.length >= goodputs.length) continue;
    expect(now.basis).toBe('paths');
    ratios.push(now.rateBps / next.bps);
    safeRatios.push(now.safeRateBps / next.bps);
  }
  expect(ratios.length).toBeGreaterThanOrEqual(8);
  const expected = mean(ratios) ?? NaN;
  expect(expected).toBeGreaterThan(0.8);
  expect(expected).toBeLessThan(1.35);
  // Conservative: at most one segment in four comes slower than the safe rate said.
  const tooHigh = safeRatios.filter((ratio) => ratio > 1).length;
  expect(tooHigh / safeRatios.length).toBeLessThanOrEqual(0.25);
  expect(setEfficiency(state, ['10.77.1.2', '10.77.2.2'])).toBeLessThan(0.85);
});
