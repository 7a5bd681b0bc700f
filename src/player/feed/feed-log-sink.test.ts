import { describe, expect, it } from 'vitest';
import { limits, type FeedUp } from '../../ipc';
import { createFakeClock } from '../../ports/testing';
import type { LogEvent } from '../../qoe';
import { FeedLogSink } from './feed-log-sink';

const event = (monotonicMs: number): LogEvent => ({
  type: 'startup',
  monotonicMs,
  startupDelayMs: 1,
});

function setUp(capacity?: number) {
  const clock = createFakeClock();
  const batches: number[] = [];
  let pending = 0;
  const page = new EventTarget();
  const errors: string[] = [];
  const sink = new FeedLogSink({
    channel: {
      send: (message: FeedUp) => {
        if (message.type === 'log') batches.push(message.events.length);
      },
      pendingBytes: () => pending,
    },
    clock,
    page,
    onError: (message) => void errors.push(message),
    ...(capacity === undefined ? {} : { capacity }),
  });
  return { clock, batches, page, errors, sink, setPending: (bytes: number) => (pending = bytes) };
}

describe('FeedLogSink', () => {
  it('sends in batches and within the limit of one message', () => {
    const { clock, batches, sink } = setUp();
    for (let i = 0; i < 3; i += 1) sink.write(event(i));
    expect(batches).toEqual([]);
    clock.advance(250);
    expect(batches).toEqual([3]);
    for (let i = 0; i < limits.logEvents + 1; i += 1) sink.write(event(i));
    clock.advance(250);
    expect(batches).toEqual([3, limits.logEvents, 1]);
  });

  it('does not send back what came down the feed', () => {
    const { clock, batches, sink } = setUp();
    sink.write({ type: 'status', monotonicMs: 1, status: { state: 'idle', reason: '' } });
    sink.write({
      type: 'samples',
      monotonicMs: 1,
      batch: { monotonicMs: 1, connections: [], lostSamples: 0 },
    });
    clock.advance(1000);
    expect(batches).toEqual([]);
  });

  it('flushes when the page goes away', () => {
    const { batches, page, sink } = setUp();
    sink.write(event(1));
    page.dispatchEvent(new Event('pagehide'));
    expect(batches).toEqual([1]);
  });

  it('keeps a bounded number of events while the channel is congested, and says so once', () => {
    const { clock, batches, errors, sink, setPending } = setUp(10);
    setPending(1e9);
    for (let i = 0; i < 25; i += 1) sink.write(event(i));
    clock.advance(1000);
    expect(batches).toEqual([]);
    expect(sink.dropped).toBe(15);
    expect(errors).toHaveLength(1);
    setPending(0);
    clock.advance(250);
    expect(batches).toEqual([10]);
  });

  it('closes when everything is out, and does not wait for ever', async () => {
    const { batches, sink, setPending, clock } = setUp();
    sink.write(event(1));
    await sink.close();
    expect(batches).toEqual([1]);
    sink.write(event(2));
    expect(batches).toEqual([1]);
    setPending(5);
    const closing = sink.close();
    clock.advance(10_000);
    await closing;
  });
});
