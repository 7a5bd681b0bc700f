import { describe, expect, test } from 'vitest';
import type { Ladder } from '../core';
import type { LogEvent } from '../session-log';
import { summarize } from '.';
import { config, ladder, manifest, player, request } from './testing/log-events';

describe('rungs in the summary', () => {
  test('a segment that starts where playback ended was not watched', () => {
    const segment = (index: number, bitrateBps: number): LogEvent =>
      request(1100 + index, 1200 + index, {
        segmentIndex: index,
        mediaStartMs: index * 2000,
        mediaDurationMs: 2000,
        rung: 0,
        bitrateBps,
      });
    const shown = [config, manifest, segment(0, 1e6), segment(1, 1e6), segment(2, 4e6)];
    const until = (positionMs: number): LogEvent[] => [
      ...shown,
      player(8900, { positionMs: positionMs - 100 }),
      player(9000, { positionMs }),
    ];
    expect(summarize(until(4000)).linearQoe).toMatchObject({ segments: 2, total: 2 });
    expect(summarize(until(4001)).linearQoe).toMatchObject({ segments: 3, total: 3 });
  });

  test('a second period restarts its indices and may have another ladder', () => {
    const second: Ladder = { mediaType: 'video', rungs: ladder.rungs.slice(0, 1) };
    const events: LogEvent[] = [
      config,
      manifest,
      request(1100, 1200, { segmentIndex: 0, mediaStartMs: 0, rung: 2, bitrateBps: 4e6 }),
      // Fetched ahead: its rung is not in the ladder reported so far.
      request(1200, 1300, {
        segmentIndex: 0,
        mediaStartMs: 2000,
        mediaDurationMs: 2000,
        rung: -1,
        bitrateBps: 3e6,
      }),
      { ...manifest, monotonicMs: 1400, ladders: [second] },
      // The same segment again, at another rung and a slightly different start.
      request(1400, 1500, {
        segmentIndex: 0,
        mediaStartMs: 2040,
        mediaDurationMs: 2000,
        rung: 0,
        bitrateBps: 1e6,
      }),
      player(8900, { positionMs: 4000 }),
      player(9000, { positionMs: 4100 }),
    ];
    // 4 and 1 Mbit/s (the later download of the second), one step of 3.
    expect(summarize(events).linearQoe).toMatchObject({ segments: 2, total: 2 });
    expect(summarize(events).topBitrateBps).toBe(4e6);
    // A stall costs the value of the film's top rung, not of the last period's.
    const stall: LogEvent = { type: 'stall', monotonicMs: 8000, phase: 'end', durationMs: 1000 };
    expect(summarize([...events, stall]).linearQoe?.total).toBeCloseTo(2 - 4);
  });

  test('a request without a bit rate takes that of the ladder at its time', () => {
    const second: Ladder = { mediaType: 'video', rungs: ladder.rungs.slice(0, 1) };
    const events: LogEvent[] = [
      config,
      manifest,
      request(1100, 1200, { mediaStartMs: 0, rung: 2 }),
      { ...manifest, monotonicMs: 1400, ladders: [second] },
      player(2000, { positionMs: 1000 }),
      player(3000, { positionMs: 2000 }),
    ];
    expect(summarize(events).linearQoe).toMatchObject({ segments: 1, total: 4 });
  });

  test('a session that never played has no quality of experience', () => {
    const loaded = request(1100, 1200, { mediaStartMs: 0, bitrateBps: 4e6 });
    expect(summarize([config, manifest, loaded, player(9000)]).linearQoe).toBeNull();
  });

  test('an index counts as bytes, not as a segment', () => {
    const index = request(1100, 1200, { kind: 'index', bytes: 1000 });
    const { segments, throughputBps } = summarize([config, manifest, index]);
    expect(segments).toEqual([]);
    expect(throughputBps).toBe(80_000);
  });
});
