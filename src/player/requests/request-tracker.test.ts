import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../ports/testing';
import type { RequestEvent } from '../../session-log';
import type { DashRequest } from '../dashjs/dash-types';
import { RequestTracker } from './request-tracker';

const WALL_OFFSET_MS = 1_700_000_000_000;

function setUp() {
  const clock = createFakeClock(1000);
  const wallNowMs = () => clock.nowMs() + WALL_OFFSET_MS;
  const events: Omit<RequestEvent, 'monotonicMs'>[] = [];
  const tracker = new RequestTracker({
    clock,
    wallNowMs,
    rungOf: (_, representation) => (representation?.id === 'hi' ? 2 : -1),
    emit: (event) => void events.push(event),
  });
  const request: DashRequest = {
    url: 'http://a.example/3.m4s',
    type: 'MediaSegment',
    mediaType: 'video',
    index: 3,
    startTime: 6,
    duration: 2,
    bytesLoaded: NaN,
    bytesTotal: NaN,
    representation: { id: 'hi' } as NonNullable<DashRequest['representation']>,
  };
  const progress = (bytes: number) => {
    request.traces ??= [{ s: new Date(wallNowMs() - 20), d: 20, b: [bytes] }];
    request.bytesLoaded = bytes;
    request.bytesTotal = 5000;
  };
  return { clock, events, tracker, request, progress };
}

const ok = { status: 200, bytes: 5000, url: undefined, defect: undefined };
const none = { status: 0, bytes: undefined, url: undefined, defect: undefined };

describe('RequestTracker', () => {
  it('recognizes a file’s index, which dash.js types as a segment, by its missing media time', () => {
    const { events, tracker, request } = setUp();
    const key = {};
    const index = { ...request, index: NaN, startTime: NaN, duration: NaN, representation: null };
    tracker.start(key, index);
    expect(tracker.inFlight()).toMatchObject([{ kind: 'index' }]);
    tracker.end(key, ok);
    expect(events).toMatchObject([{ kind: 'index', mediaType: 'video', bytes: 5000 }]);
    expect(events[0]).not.toHaveProperty('rung');
    expect(events[0]).not.toHaveProperty('mediaStartMs');
  });

  it('counts the bytes of an answer without a length from its traces', () => {
    const { tracker, request } = setUp();
    tracker.start({}, request);
    const trace = { s: new Date(), d: 20, b: [600_000] };
    request.traces = [trace, { ...trace, b: [650_000] }, { ...trace, b: [NaN] }];
    expect(tracker.inFlight()).toMatchObject([{ bytesLoaded: 1_250_000, bytesTotal: undefined }]);
  });

  it('reports an exchange with its times on the feed clock', () => {
    const { clock, events, tracker, request, progress } = setUp();
    const key = {};
    tracker.start(key, request);
    clock.advance(100);
    progress(1200);
    expect(tracker.inFlight()).toMatchObject([
      { rung: 2, bytesLoaded: 1200, bytesTotal: 5000, firstByteMs: 1100, startMs: 1000 },
    ]);
    clock.advance(400);
    tracker.end(key, { ...ok, url: 'http://b.example/3.m4s' });
    expect(tracker.inFlight()).toEqual([]);
    expect(events).toEqual([
      {
        type: 'request',
        requestId: 1,
        kind: 'media',
        mediaType: 'video',
        rung: 2,
        url: 'http://b.example/3.m4s',
        segmentIndex: 3,
        mediaStartMs: 6000,
        mediaDurationMs: 2000,
        startMs: 1000,
        firstByteMs: 1100,
        endMs: 1500,
        bytes: 5000,
        status: 200,
        outcome: 'ok',
      },
    ]);
  });

  it('distinguishes abandoned from failed exchanges', () => {
    const { clock, events, tracker, request, progress } = setUp();
    const [first, second] = [{}, {}];
    tracker.start(first, request);
    progress(700);
    tracker.end(first, none);
    tracker.abandoned(request);
    clock.advance(0);
    tracker.start(second, request);
    tracker.end(second, none);
    clock.advance(0);
    expect(events.map((event) => [event.requestId, event.outcome, event.error])).toEqual([
      [1, 'abandoned', undefined],
      [2, 'failed', 'no complete answer from the server'],
    ]);
    expect(events[0]?.bytes).toBe(700);
  });

  it('reports HTTP errors and defects as failed, with the reason', () => {
    const { events, tracker, request } = setUp();
    const keys = [{}, {}];
    keys.forEach((key) => tracker.start(key, request));
    tracker.end(keys[0] as object, { ...none, status: 404 });
    tracker.end(keys[1] as object, { ...ok, defect: 'the segment is cut short' });
    expect(events.map((event) => [event.outcome, event.error])).toEqual([
      ['failed', 'HTTP 404'],
      ['failed', 'the segment is cut short'],
    ]);
  });

  it.each([
    ['that had arrived before the request', 2000, { earlyBytes: 2000 }],
    ['of the body at most', 9000, { earlyBytes: 5000 }],
    ['only where there are some', 0, {}],
    ['only where they are known', undefined, {}],
  ])('reports the bytes %s', (_, earlyBytes, reported) => {
    const { events, tracker, request } = setUp();
    const key = {};
    tracker.start(key, request);
    tracker.end(key, { ...ok, earlyBytes });
    const early = Object.entries(events[0] ?? {}).filter(([name]) => name === 'earlyBytes');
    expect(Object.fromEntries(early)).toEqual(reported);
  });

  it('prefers the timing of the browser', () => {
    const { clock, events, tracker, request } = setUp();
    const key = {};
    tracker.start(key, request);
    clock.advance(500);
    request.resourceTimingValues = { startTime: 70, responseStart: 103 };
    tracker.end(key, ok);
    expect(events[0]?.firstByteMs).toBe(1033);
  });

  it('reports pending exchanges at the end, and each end only once', () => {
    const { clock, events, tracker, request } = setUp();
    const key = {};
    tracker.start(key, request);
    clock.advance(50);
    tracker.finish();
    tracker.end(key, ok);
    tracker.finish();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ outcome: 'abandoned', endMs: 1050, bytes: 0 });
  });

  it('counts the chunks of a low-latency segment with an empty answer', () => {
    const { clock, events, tracker, request } = setUp();
    request.fileLoaderType = 'fetch_loader';
    const key = {};
    tracker.start(key, request);
    clock.advance(300);
    tracker.streamed(request, 4000);
    expect(tracker.inFlight()).toMatchObject([{ bytesLoaded: 4000, firstByteMs: 1300 }]);
    clock.advance(700);
    tracker.streamed(request, 1000);
    tracker.end(key, { ...ok, bytes: undefined });
    clock.advance(0);
    expect(events).toMatchObject([{ bytes: 5000, firstByteMs: 1300, endMs: 2000, outcome: 'ok' }]);
  });

  it('reports an aborted stream of chunks as abandoned, with any status', () => {
    const { clock, events, tracker, request } = setUp();
    request.fileLoaderType = 'fetch_loader';
    const key = {};
    tracker.start(key, request);
    tracker.streamed(request, 4000);
    tracker.end(key, { ...ok, bytes: undefined });
    tracker.abandoned(request);
    clock.advance(0);
    expect(events).toMatchObject([{ bytes: 4000, outcome: 'abandoned' }]);
  });
});
