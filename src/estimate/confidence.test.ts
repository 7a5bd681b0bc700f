import { describe, expect, test } from 'vitest';
import { createPathEstimator, forecast, observeRequestEnd, observeRequestStart } from '.';
import { estimatorConfig } from './config';
import { learnedConfidence, rateConfidence } from './measured-rate';
import { endRun, unknownRate } from './path-rate';
import { rememberRate } from './returned-path';

/** Confidence after consecutive downloads, without a path feed. */
function confidenceAfter(downloads: readonly { bytes: number; ms: number }[]): number {
  let state = createPathEstimator();
  let startMs = 0;
  for (const [requestId, { bytes, ms }] of downloads.entries()) {
    const endMs = startMs + ms;
    const request = { requestId, startMs, firstByteMs: startMs + 1, endMs, bytes };
    state = observeRequestStart(state, { requestId, startMs });
    state = observeRequestEnd(state, { ...request, outcome: 'ok' });
    startMs = endMs;
  }
  return forecast(state, startMs).confidence;
}

describe('confidence', () => {
  test('a segment at the lowest rung and its audio are enough on a fast link of any rate', () => {
    const segment = [
      { bytes: 75_000, ms: 20 },
      { bytes: 32_000, ms: 8 },
    ];
    // A step to any rung within the rate needs 0.2.
    expect(confidenceAfter(segment)).toBeGreaterThan(0.2);
    expect(confidenceAfter(segment.map(({ bytes }) => ({ bytes, ms: 6 })))).toBeGreaterThan(0.2);
  });

  test('on a slow link time decides, as before', () => {
    expect(confidenceAfter([{ bytes: 75_000, ms: 1000 }])).toBeCloseTo(0.5, 6);
    expect(learnedConfidence(1000, 0)).toBeCloseTo(0.5, 6);
    expect(learnedConfidence(0, estimatorConfig.confidenceHalfBytes)).toBeCloseTo(0.5, 6);
  });

  test('a small answer after a long wait measures latency, not throughput', () => {
    const after = (bytes: number, endMs: number): number => {
      const request = { requestId: 1, startMs: 0, firstByteMs: 188, endMs, bytes };
      const state = observeRequestStart(createPathEstimator(), { requestId: 1, startMs: 0 });
      return forecast(observeRequestEnd(state, { ...request, outcome: 'ok' }), endMs).rateBps;
    };
    expect(after(8700, 190)).toBe(0);
    expect(after(8700, 580)).toBeCloseTo(120_000, -1);
    expect(after(75_000, 250)).toBeCloseTo(2.4e6, -1);
  });

  test('a small answer after a wait bounds the rate from below', () => {
    const answer = { bytes: 27_000, outcome: 'ok' as const };
    const first = { ...answer, requestId: 1, startMs: 0, firstByteMs: 40, endMs: 216 };
    const slow = observeRequestEnd(createPathEstimator(), first);
    const rate = (waitMs: number): number => {
      const times = { startMs: 216, firstByteMs: 216 + waitMs - 2, endMs: 216 + waitMs };
      return forecast(observeRequestEnd(slow, { ...answer, requestId: 2, ...times }), 500).rateBps;
    };
    expect(rate(20)).toBeGreaterThan(2e6);
    expect(rate(20)).toBeLessThan(10.8e6);
    // A long wait says nothing: the mean stays.
    expect(rate(300)).toBe(1e6);
  });

  test('a request that is reported twice carried its bytes once', () => {
    const request = { requestId: 1, startMs: 0, firstByteMs: 10, endMs: 1000, bytes: 500_000 };
    const end = { ...request, outcome: 'ok' as const };
    const once = observeRequestEnd(createPathEstimator(), end);
    expect(observeRequestEnd(once, end).requestRate).toEqual(once.requestRate);
    const other = observeRequestEnd(once, { ...end, requestId: 2 });
    expect(forecast(other, 1000).rateBps).toBeGreaterThan(1.2 * forecast(once, 1000).rateBps);
  });

  test('bursts that only bound a path raise confidence, and a returned path starts again', () => {
    const run = {
      startMs: 0,
      bytesEndMs: 60,
      bytes: 320_000,
      awaitedMs: 0,
      onWayMs: 0,
      peak: undefined,
      moving: false,
      dry: false,
      waiting: undefined,
      silentMs: 0,
      counted: false,
    };
    const bounded = endRun({ ...unknownRate, run }, 60);
    expect(rateConfidence(bounded, 60)).toBeCloseTo(0.5, 2);
    expect(rateConfidence(rememberRate(bounded), 60)).toBeLessThan(0.05);
  });

  test('a slower burst confirms a bound by its share, and a faster one takes its place', () => {
    const burst = (bytes: number) => ({
      ...{
        startMs: 0,
        bytesEndMs: 100,
        bytes,
        awaitedMs: 0,
        onWayMs: 0,
        peak: undefined,
        moving: false,
      },
      ...{ dry: false, waiting: undefined, silentMs: 0, counted: false },
    });
    const after = (known: typeof unknownRate, bytes: number) =>
      endRun({ ...known, run: burst(bytes) }, 100);
    const first = after(unknownRate, 100_000);
    expect([first.floorBps, first.countedMs, first.measuredBytes]).toEqual([8e6, 100, 100_000]);
    const confirmed = after(first, 75_000);
    expect([confirmed.floorBps, confirmed.countedMs]).toEqual([8e6, 175]);
    // It may as well come from a path that has become slower.
    const doubtful = after(first, 25_000);
    expect([doubtful.floorBps, doubtful.countedMs]).toEqual([8e6, 100]);
    const faster = after(first, 200_000);
    expect([faster.floorBps, faster.countedMs]).toEqual([16e6, 150]);
  });

  test('the time of the first byte on its way is no transmission', () => {
    const run = {
      ...{ startMs: 0, bytesEndMs: 140, bytes: 50_000, awaitedMs: 0, onWayMs: 20, peak: undefined },
      ...{ moving: false, dry: false, waiting: undefined, silentMs: 0, counted: false },
    };
    expect(endRun({ ...unknownRate, run }, 120).floorBps).toBeCloseTo(4e6, 0);
  });
});
