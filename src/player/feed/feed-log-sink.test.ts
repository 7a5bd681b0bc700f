import { describe, expect, it } from 'vitest';
import { limits, parseFeedUp, type FeedUp } from '../../ipc';
import { createFakeClock } from '../../ports/testing';
import type { LogEvent } from '../../session-log';
import { FeedLogSink } from './feed-log-sink';

const event = (monotonicMs: number): LogEvent => ({
  type: 'startup',
  monotonicMs,
  startupDelayMs: 1,
});

function setUp(capacity?: number, refuse: (events: LogEvent[]) => void = () => undefined) {
  const clock = createFakeClock();
  const batches: number[] = [];
  const sent: LogEvent[] = [];
  let pending = 0;
  const page = new EventTarget();
  const errors: string[] = [];
  const sink = new FeedLogSink({
    channel: {
      send: (message: FeedUp) => {
        if (message.type !== 'log') return;
        refuse(message.events);
        batches.push(message.events.length);
        sent.push(...message.events);
      },
      pendingBytes: () => pending,
    },
    clock,
    page,
    onError: (message) => void errors.push(message),
    ...(capacity === undefined ? {} : { capacity }),
  });
  return {
    clock,
    batches,
    sent,
    page,
    errors,
    sink,
    setPending: (bytes: number) => (pending = bytes),
  };
}

describe('FeedLogSink', () => {
  it('sends in batches within the size limit of a message', () => {
    const { clock, batches, sink } = setUp();
    for (let i = 0; i < 3; i += 1) sink.write(event(i));
    expect(batches).toEqual([]);
    clock.advance(250);
    expect(batches).toEqual([3]);
    for (let i = 0; i < limits.logEvents + 1; i += 1) sink.write(event(i));
    clock.advance(250);
    expect(batches).toEqual([3, limits.logEvents, 1]);
  });

  it('does not send back events that came from the feed', () => {
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

  it('keeps a bounded number of events while the channel is congested, and reports it once', () => {
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

  it('loses only the refused event of a batch, and reports it', () => {
    const { clock, sent, errors, sink } = setUp();
    sink.write(event(1));
    sink.write(event(NaN));
    sink.write({ ...event(3), startupDelayMs: -1 } as LogEvent);
    sink.write(event(4));
    clock.advance(250);
    expect(sent.map(({ type }) => type)).toEqual(['startup', 'error', 'error', 'startup']);
    expect(parseFeedUp({ type: 'log', events: sent })).toMatchObject({ ok: true });
    expect(sent[2]).toMatchObject({ monotonicMs: 3, code: 'LOG_EVENT_REFUSED', fatal: false });
    expect(errors).toHaveLength(2);
    expect(errors[1]).toMatch(/"startup" was left out: .*startupDelayMs/);
    expect(sink.refused).toBe(2);
  });

  it('loses only the event that the channel cannot carry', () => {
    const { clock, sent, errors, sink } = setUp(undefined, (events) => {
      if (JSON.stringify(events).includes('unsendable')) throw new Error('could not be cloned');
    });
    for (let i = 0; i < 9; i += 1) sink.write(event(i));
    sink.write({ type: 'error', monotonicMs: 9, code: 'X', message: 'unsendable', fatal: false });
    for (let i = 10; i < 20; i += 1) sink.write(event(i));
    clock.advance(250);
    expect(sent.map(({ monotonicMs }) => monotonicMs)).toEqual([...Array(20).keys()]);
    expect(sent[9]).toMatchObject({ code: 'LOG_EVENT_REFUSED' });
    expect(errors).toEqual(['a log event of type "error" was left out: could not be cloned']);
  });

  it('closes when everything is sent, with a time limit', async () => {
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

it('sends what waits when a congested channel drains during the close', async () => {
  const { clock, sink, sent, setPending } = setUp();
  setPending(9 * 1024 * 1024);
  sink.write(event(1));
  const closed = sink.close();
  clock.advance(20);
  setPending(0);
  clock.advance(20);
  await closed;
  expect(sent.map(({ monotonicMs }) => monotonicMs)).toEqual([1]);
});
