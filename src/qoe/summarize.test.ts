import { describe, expect, test } from 'vitest';
import type { EndEvent, LogEvent, PlayerEvent } from '../session-log';
import { createSummary, summarize } from '.';
import { change, config, manifest, player, request } from './testing/log-events';

/** 1 s at 1 Mbit/s, 3 s at 4 Mbit/s (the switch between two player events), 2 s of stall, 1 s at 4 Mbit/s. */
const session: LogEvent[] = [
  config,
  manifest,
  request(1100, 2100, { segmentIndex: 0, mediaStartMs: 0 }),
  { type: 'startup', monotonicMs: 2200, startupDelayMs: 1200 },
  player(2200),
  request(2200, 2700, { segmentIndex: 1, mediaStartMs: 2000, rung: 2, outcome: 'abandoned' }),
  request(2700, 3200, { segmentIndex: 1, mediaStartMs: 2000, rung: 2 }),
  change(3200, 0, 2),
  player(4200, { positionMs: 2000, bufferMs: 3000, rung: 2, bitrateBps: 4e6, decodedFrames: 50 }),
  player(6200, { positionMs: 4000, bufferMs: 0, rung: 2, bitrateBps: 4e6, playing: false }),
  { type: 'stall', monotonicMs: 6200, phase: 'start' },
  request(6200, 7200, { outcome: 'failed', status: 404, bytes: 0 }),
  { type: 'error', monotonicMs: 7200, code: 'HTTP', message: '404', fatal: false },
  { type: 'stall', monotonicMs: 8200, phase: 'end', durationMs: 2000 },
  player(8200, { positionMs: 4000, bufferMs: 4000, rung: 2, bitrateBps: 4e6 }),
  player(9200, { positionMs: 5000, bufferMs: 3000, rung: 2, bitrateBps: 4e6, droppedFrames: 3 }),
  { type: 'end', monotonicMs: 9300, reason: 'time-up' },
];

describe('session summary', () => {
  const summary = summarize(session, { logFile: '/tmp/a.jsonl' });

  test('the viewer’s experience', () => {
    expect(summary).toMatchObject({
      sessionMs: 8300,
      complete: true,
      endReason: 'time-up',
      startupDelayMs: 1200,
      playedMs: 5100,
      switches: 1,
      switchMagnitudeBps: 3e6,
      stalls: { count: 1, totalMs: 2000 },
      decodedFrames: 50,
      droppedFrames: 3,
      abandonedRequests: 1,
      failedRequests: 1,
      errorCount: 1,
      logFile: '/tmp/a.jsonl',
    });
    expect(summary.averageBitrateBps).toBeCloseTo((1 * 1e6 + 4.1 * 4e6) / 5.1);
    expect(summary.averageAudioBitrateBps).toBeCloseTo(128_000);
    expect(summary.outageRatio).toBeCloseTo(2 / 7.1);
    // 5 s, 3 s, 0 s, 4 s, 3 s for 2, 2, 2, 1, 0.1 seconds.
    expect(summary.bufferMs.mean).toBeCloseTo((10_000 + 6000 + 0 + 4000 + 300) / 7.1);
    expect(summary.bufferMs.min).toBe(0);
  });

  test('downloads: application RTT and jitter, throughput over busy time', () => {
    expect(summary.applicationRttMs).toBe(750);
    expect(summary.applicationJitterMs).toBe(500);
    // 3 x 250 kB in 1 + 1 + 1 s.
    expect(summary.throughputBps).toBeCloseTo(2e6);
    expect(summary.segments).toHaveLength(1);
    expect(summary.segments[0]?.delayMs?.median).toBe(750);
    expect(summary.segments[0]?.delayPercentilesMs).toHaveLength(21);
  });

  test('linear QoE: 1 + 4 - 3 for the step - 2 s x 4', () => {
    expect(summary.linearQoe).toEqual({ total: -6, perSegment: -3, segments: 2 });
  });

  test('a log cut anywhere yields a summary of its content', () => {
    const summary = createSummary();
    for (const event of session) {
      summary.add(event);
      const partial = summary.finish();
      expect(JSON.stringify(partial)).not.toContain('NaN');
      expect(partial.stalls.totalMs).toBeLessThanOrEqual(2000);
      for (const value of [partial.playedMs, partial.sessionMs, partial.averageBitrateBps]) {
        expect(value).toBeGreaterThanOrEqual(0);
      }
    }
    expect(summarize([])).toMatchObject({ complete: false, playedMs: 0, paths: [] });
  });

  test('a stall at the cut of the log counts to the last event', () => {
    const cut = [
      config,
      { type: 'stall', monotonicMs: 3000, phase: 'start' } as const,
      player(5500, { playing: false }),
    ];
    expect(summarize(cut).stalls).toEqual({ count: 1, totalMs: 2500 });
  });

  test('playback goes on from the last player event to the end, at most 300 ms', () => {
    const played = (last: LogEvent[], endMs: number, reason: EndEvent['reason'] = 'time-up') =>
      summarize([config, player(2000), ...last, { type: 'end', monotonicMs: endMs, reason }])
        .playedMs;
    const moved = player(3000, { positionMs: 1000 });
    expect(played([moved], 3200)).toBe(1200);
    expect(played([moved], 3499)).toBe(1300);
    // The buffer held no more.
    expect(played([player(3000, { positionMs: 1000, bufferMs: 50 })], 3200)).toBe(1050);
    expect(played([player(3000, { positionMs: 1000, playing: false })], 3200)).toBe(1000);
    expect(played([moved, { type: 'stall', monotonicMs: 3001, phase: 'start' }], 3200)).toBe(1000);
    expect(played([moved], 23_000, 'failed')).toBe(1000);
  });

  test('a segment that begins in the last 300 ms is watched', () => {
    const segments = [0, 1].map((segmentIndex) =>
      request(1100 + segmentIndex, 1500, { segmentIndex, mediaStartMs: 2000 * segmentIndex }),
    );
    const log = [config, manifest, ...segments, player(2200), player(4100, { positionMs: 1900 })];
    const endAt = (monotonicMs: number): LogEvent => ({
      ...{ type: 'end', monotonicMs, reason: 'time-up' },
    });
    expect(summarize([...log, endAt(4150)]).linearQoe?.segments).toBe(1);
    expect(summarize([...log, endAt(4350)]).linearQoe?.segments).toBe(2);
  });

  test('a seek is not played time, and the draining end is not a low buffer', () => {
    const result = summarize([
      config,
      manifest,
      player(2000, { positionMs: 1000 }),
      player(2500, { positionMs: 57_000, bufferMs: 3000 }),
      player(3000, { positionMs: 57_500, bufferMs: 2500 }),
      player(3500, { positionMs: 20_000, bufferMs: 9000 }),
      player(4000, { positionMs: 20_500, bufferMs: 8500 }),
    ]);
    expect(result.playedMs).toBe(1500);
    expect(result.bufferMs.min).toBe(5000);
  });

  test('the first rendered rung is not a switch', () => {
    expect(summarize([config, manifest, change(2000, -1, 0)]).switches).toBe(0);
  });
});

test('the live latency is weighted by time while playing, and absent on demand', () => {
  const at = (monotonicMs: number, positionMs: number, liveLatencyMs?: number): PlayerEvent =>
    player(monotonicMs, { positionMs, liveLatencyMs });
  const live = [at(0, 0, 2000), at(1000, 1000, 4000), at(4000, 4000, 9000), at(9000, 4000, 14_000)];
  const { liveLatencyMs } = summarize([config, ...live]);
  // 2 s for 1 s, 4 s for 3 s; the picture stood for the last 5 s.
  expect(liveLatencyMs?.mean).toBe(3500);
  expect(liveLatencyMs?.percentiles.at(0)).toBe(2000);
  expect(liveLatencyMs?.percentiles.at(-1)).toBe(4000);
  expect(summarize([config, manifest, at(0, 0), at(500, 500)]).liveLatencyMs).toBeNull();
});
