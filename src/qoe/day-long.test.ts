import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, mean, mergeSpans } from '../core';
import { createSummary } from '.';
import { BusyTime } from './busy-time';
import { DownloadTimes } from './download-times';
import { RungSequence } from './rung-sequence';
import type { LogEvent, RequestEvent } from '../session-log';

const SEGMENT_MS = 2000;
const DAY_MS = 86_400_000;

function request(startMs: number, more: Partial<RequestEvent>): RequestEvent {
  return {
    ...{ type: 'request', kind: 'media', mediaType: 'video', url: 'http://h/s', outcome: 'ok' },
    ...{ monotonicMs: startMs + 500, requestId: 1, startMs, endMs: startMs + 500 },
    ...{ bytes: 250_000, status: 200, bitrateBps: 1e6, mediaDurationMs: SEGMENT_MS },
    ...more,
  };
}

/** A live stream: two requests a segment, and a player event a second. */
function* live(forMs: number): Generator<LogEvent> {
  const random = createRandom(11);
  for (let atMs = 0; atMs < forMs; atMs += SEGMENT_MS) {
    const bitrateBps = (atMs / SEGMENT_MS) % 2 === 0 ? 1e6 : 3e6;
    const endMs = atMs + 100 + 900 * random();
    yield request(atMs, { endMs, monotonicMs: endMs, mediaStartMs: atMs, bitrateBps });
    yield request(atMs, { endMs, monotonicMs: endMs, mediaStartMs: atMs, mediaType: 'audio' });
    for (const monotonicMs of [atMs, atMs + 1000]) {
      yield {
        ...{ type: 'player', monotonicMs, positionMs: monotonicMs, bufferMs: 5000, playing: true },
        ...{ rung: 0, bitrateBps: 1e6, decodedFrames: 0, droppedFrames: 0 },
        liveLatencyMs: 3000 + 1000 * random(),
      };
    }
  }
}

describe('a summary that runs for a day', () => {
  const summary = createSummary();
  const sizes: number[] = [];
  let count = 0;
  for (const event of live(DAY_MS)) {
    summary.add(event);
    count += 1;
    if (count % 43_200 === 0) sizes.push(summary.size);
  }

  it('keeps no more after a day than after some hours', () => {
    expect(count).toBe(172_800);
    expect(Math.max(...sizes)).toBeLessThan(50_000);
    expect(sizes.at(-1)).toBeLessThan(1.01 * (sizes[1] ?? 0));
  });

  it('counts every segment', () => {
    const found = summary.finish();
    expect(found.segments.map((one) => one.count)).toEqual([43_200, 43_200]);
    expect(found.linearQoe?.segments).toBe(43_200);
    // 2 Mbit/s on average and a step of 2 Mbit/s between any two.
    expect(found.linearQoe?.total).toBeCloseTo(43_200 * 2 - 43_199 * 2, 3);
    expect((found.segments[0]?.delayMs?.median ?? 0) / 550).toBeCloseTo(1, 1);
    expect((found.liveLatencyMs?.percentiles[10] ?? 0) / 3500).toBeCloseTo(1, 2);
  });
});

const startMs = fc.integer({ min: 0, max: 50_000 });
const lengthMs = fc.integer({ min: -10, max: 3000 });

describe('the parts of the summary agree with a list of everything', () => {
  it('the time that requests cover', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(startMs, lengthMs), { maxLength: 200 }), (pairs) => {
        const spans = pairs.map(([start, length]) => ({ startMs: start, endMs: start + length }));
        const busy = new BusyTime();
        for (const span of spans) busy.add(span);
        const expected = mergeSpans(spans).reduce((sum, one) => sum + one.endMs - one.startMs, 0);
        expect(busy.totalMs).toBe(expected);
      }),
    );
  });

  it('the jitter of requests that end out of order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 300 }), (delays) => {
        const downloads = delays.map((delayMs, index) => ({
          ...{ startMs: index * 500, endMs: index * 500 + delayMs, bytes: 1 },
        }));
        const times = new DownloadTimes();
        for (const one of [...downloads].sort((a, b) => a.endMs - b.endMs)) times.add(one);
        const steps = delays.slice(1).map((delay, i) => Math.abs(delay - (delays[i] ?? 0)));
        const { applicationJitterMs, applicationRttMs } = times.summary('video');
        expect(applicationJitterMs ?? 0).toBeCloseTo(mean(steps) ?? 0);
        expect(applicationRttMs ?? 0).toBeCloseTo(mean(delays) ?? 0);
      }),
    );
  });

  it('the rungs of segments that come in any order, some again', () => {
    const download = fc.record({
      index: fc.integer({ min: 0, max: 40 }),
      shiftMs: fc.integer({ min: -40, max: 40 }),
      bitrateBps: fc.constantFrom(1e6, 2e6, 5e6),
    });
    fc.assert(
      fc.property(fc.array(download, { maxLength: 120 }), (downloads) => {
        const last = new Map<number, number>();
        const rungs = new RungSequence();
        for (const [i, { index, shiftMs, bitrateBps }] of downloads.entries()) {
          last.set(index, bitrateBps);
          const mediaStartMs = index * SEGMENT_MS + shiftMs;
          rungs.add(request(i * 1000, { mediaStartMs, bitrateBps }));
        }
        const expected = [...last].sort(([a], [b]) => a - b).map(([, bps]) => bps);
        const steps = expected.slice(1).map((bps, i) => Math.abs(bps - (expected[i] ?? bps)));
        expect(rungs.totals(Infinity)).toEqual({
          segments: expected.length,
          sumBps: expected.reduce((sum, bps) => sum + bps, 0),
          stepsBps: steps.reduce((sum, bps) => sum + bps, 0),
          topBps: Math.max(0, ...expected),
        });
      }),
    );
  });
});
