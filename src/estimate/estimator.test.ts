import { describe, expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { createPathEstimator, forecast, observeRequestStart, observeSamples } from '.';
import { FluidClient } from './testing/fluid-link';
import { pathOf, SEGMENT, twoPaths } from './testing/two-paths';

describe('path estimator', () => {
  test('learns each path and their sum from downloads', () => {
    const client = twoPaths();
    for (let i = 0; i < 6; i += 1) client.download(SEGMENT);
    const now = forecast(client.state, client.nowMs);
    expect(now.basis).toBe('paths');
    expect(pathOf(client, 'wifi').rateBps).toBeCloseTo(5e6, -5);
    expect(pathOf(client, 'lte').rateBps).toBeCloseTo(2e6, -5);
    expect(now.rateBps).toBeGreaterThan(6.5e6);
    expect(now.safeRateBps).toBeLessThanOrEqual(now.rateBps);
    expect(now.safeRateBps).toBeGreaterThan(5.8e6);
    expect(now.confidence).toBeGreaterThan(0.9);
  });

  test('idle time changes no estimate, only confidence', () => {
    const client = twoPaths();
    for (let i = 0; i < 4; i += 1) client.download(SEGMENT);
    const before = forecast(client.state, client.nowMs);
    client.idle(30_000);
    const after = forecast(client.state, client.nowMs);
    expect(after.rateBps).toBeCloseTo(before.rateBps, 0);
    expect(after.confidence).toBeLessThan(before.confidence * 0.8);
  });

  test('segments with pauses between them are measured as the link, not as the average', () => {
    const client = twoPaths();
    for (let i = 0; i < 8; i += 1) {
      client.download(SEGMENT / 2);
      client.idle(1200);
    }
    expect(forecast(client.state, client.nowMs).rateBps).toBeGreaterThan(6.3e6);
  });

  test('a tail that waits for the slow path does not lower the fast one', () => {
    const client = twoPaths(5e6, 0.6e6);
    // A fifth of every segment goes over the slow path: the fast one is idle most of the time.
    for (let i = 0; i < 10; i += 1) {
      client.download(1_100_000, [0.8, 0.2]);
      client.idle(300);
    }
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(4.6e6);
    expect(pathOf(client, 'lte').rateBps).toBeLessThan(0.7e6);
  });

  test('a drop of the rate is followed within a segment, safe rate first', () => {
    const client = twoPaths();
    for (let i = 0; i < 4; i += 1) client.download(SEGMENT);
    const wifi = client.paths[0];
    if (wifi) wifi.rateBps = 1e6;
    client.download(SEGMENT, undefined, 2500);
    expect(pathOf(client, 'wifi').safeRateBps).toBeLessThan(1.9e6);
  });

  test('a dip is over after a few small segments, although they arrive within moments', () => {
    const client = twoPaths(4e6, 0);
    const wifi = client.paths[0];
    for (let i = 0; i < 4; i += 1) client.download(SEGMENT, [1, 0]);
    if (wifi) wifi.rateBps = 0.4e6;
    for (let i = 0; i < 8; i += 1) client.download(75_000, [1, 0]);
    expect(pathOf(client, 'wifi').rateBps).toBeLessThan(0.5e6);
    if (wifi) wifi.rateBps = 4e6;
    for (let i = 0; i < 3; i += 1) client.download(75_000, [1, 0]);
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(2.5e6);
  });

  test('short bursts bound an unknown path from below and never overestimate', () => {
    const client = twoPaths();
    for (let i = 0; i < 5; i += 1) {
      client.download(60_000);
      client.idle(2000);
    }
    const { rateBps, confidence } = forecast(client.state, client.nowMs);
    expect(rateBps).toBeGreaterThan(0);
    expect(rateBps).toBeLessThanOrEqual(7e6 * 1.001);
    expect(confidence).toBeLessThan(0.95);
  });

  /** One path with one request throughout: kilobytes in each 100 ms. */
  function expectedAfter(kilobytes: number[]): number {
    let state = observeRequestStart(createPathEstimator(), { requestId: 1, startMs: 0 });
    let bytes = 0;
    let nowMs = 0;
    state = observeSamples(state, batch(nowMs, [connection([subflow('wifi', 0)])]));
    for (const one of kilobytes) {
      nowMs += 100;
      bytes += one * 1000;
      state = observeSamples(state, batch(nowMs, [connection([subflow('wifi', bytes)])]));
    }
    return forecast(state, nowMs).paths[0]?.rateBps ?? NaN;
  }
  const steady = (count: number): number[] => Array.from({ length: count }, () => 25);

  test('the burst after a silence counts over the whole busy time', () => {
    // A queue fills for 400 ms and empties at once: still 2 Mbit/s.
    const rateBps = expectedAfter([...steady(20), 0, 0, 0, 0, 125, ...steady(2)]);
    expect(rateBps / 2e6).toBeCloseTo(1, 2);
  });

  test('the first, partly used interval with bytes does not count', () => {
    expect(expectedAfter([0, 3, ...steady(6)]) / 2e6).toBeCloseTo(1, 2);
  });

  test('no whole download is faster than its forecast by more than the link allows', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 3e6 }]);
    client.download(800_000);
    expect(pathOf(client, 'wifi').rateBps).toBeLessThanOrEqual(3e6 * 1.001);
  });

  test('a missing answer reduces the rate after a second and a half', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 4e6 }]);
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    const wifi = client.paths[0];
    if (wifi) wifi.blackholed = true;
    client.idle(300);
    client.download(SEGMENT, undefined, 1000);
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(3.5e6);
    client.idle(500);
    client.download(SEGMENT, undefined, 4000);
    expect(pathOf(client, 'wifi').safeRateBps).toBeLessThan(1.5e6);
  });

  test('bytes that stop during a request count as an outage after half a second', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 4e6 }]);
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    const wifi = client.paths[0];
    if (wifi) wifi.blackholed = true;
    client.download(1_000_000, [1], 4000);
    expect(pathOf(client, 'wifi').safeRateBps).toBeLessThan(1e6);
  });

  test('a head-of-line blocked path is not blamed', () => {
    const client = new FluidClient([{ id: 'wifi', rateBps: 4e6 }]);
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    // Only the first 500 kB arrive: the second path, which has the rest, has failed.
    client.paths.push({ id: 'lte', rateBps: 4e6, blackholed: true });
    client.download(1_000_000, [0.5, 0.5], 6000);
    expect(pathOf(client, 'wifi').rateBps).toBeGreaterThan(3.5e6);
    expect(pathOf(client, 'lte').rateBps).toBe(0);
  });

  test('an active path that the scheduler never uses is left out until it delivers', () => {
    const client = twoPaths();
    for (let i = 0; i < 3; i += 1) client.download(SEGMENT);
    const lte = client.paths[1];
    if (lte) lte.skipped = true;
    for (let i = 0; i < 2; i += 1) client.download(SEGMENT);
    expect(pathOf(client, 'lte').usable).toBe(false);
    expect(forecast(client.state, client.nowMs).rateBps).toBeCloseTo(5e6, -5.5);
    if (lte) lte.skipped = false;
    client.download(SEGMENT);
    expect(pathOf(client, 'lte').usable).toBe(true);
  });
});
