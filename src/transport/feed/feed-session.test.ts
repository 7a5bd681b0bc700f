import { beforeEach, describe, expect, it } from 'vitest';
import {
  createFakeClock,
  createFakeTransport,
  createMemoryLogSink,
  type FakeClock,
  type MemoryLogSink,
} from '../../ports/testing';
import type { FeedDown } from '../../ipc';
import type { LogEvent } from '../../session-log';
import { createFeedSession, type FeedSession } from './feed-session';
import { PageLogLimit } from './page-log-limit';
import { configEvent } from '../../session-log/testing/events';

const problem = (message: string): LogEvent => ({
  type: 'error',
  monotonicMs: 0,
  code: 'X',
  message,
  fatal: false,
});

let clock: FakeClock;
let sink: MemoryLogSink;
let transport: ReturnType<typeof createFakeTransport>;
let ended: string | undefined;
let session: FeedSession;
let sent: FeedDown[];

let logLimit: PageLogLimit;

beforeEach(() => {
  clock = createFakeClock();
  sink = createMemoryLogSink();
  transport = createFakeTransport();
  ended = undefined;
  sent = [];
  logLimit = new PageLogLimit(clock.nowMs());
  session = connect();
});

function connect(): FeedSession {
  return createFeedSession({
    transport,
    sink,
    clock,
    logLimit,
    channel: {
      send: (message) => void sent.push(message),
      congested: () => false,
      disconnect: (reason) => (ended = reason),
    },
  });
}

const loggedChars = (): number => JSON.stringify(sink.events).length;
const say = (...events: LogEvent[]): void => session.receive({ type: 'log', events });

describe('a page that connects', () => {
  const types = (): string[] => sent.map(({ type }) => type);
  const gatewayUrl = 'http://127.0.0.1:1/token/';

  it('knows the gateway before it is welcomed, so that its manifest comes over every network', () => {
    const carriage = 'ranges' as const;
    const report = { carriage, reason: '', networks: [], inOrderBytes: 0 };
    transport.emit({ type: 'carriage', report, gatewayUrl });
    sent = [];
    connect();
    expect(types()).toEqual(['status', 'carriage', 'welcome']);
    expect(sent[1]).toMatchObject({ gatewayUrl });
  });

  it('is not welcomed to a feed that has ended', () => {
    transport.emit({ type: 'closed', reason: 'The link is gone.' });
    sent = [];
    connect();
    expect(types()).toEqual(['status', 'closed']);
  });
});

describe('a page that floods', () => {
  it('writes a burst of log, then a bounded rate, and is disconnected if it continues', () => {
    say(configEvent());
    const flood = Array.from({ length: 500 }, () => problem('x'.repeat(2000)));
    for (let second = 0; second < 4; second += 1) {
      for (let count = 0; count < 125; count += 1) say(...flood);
      clock.advance(1000);
    }
    // The page offered 500 MB.
    expect(loggedChars()).toBeLessThan(6 * 1024 * 1024);
    expect(ended).toMatch(/invalid messages/);
    expect(sink.events).toContainEqual(
      expect.objectContaining({
        code: 'FEED_MESSAGE_INVALID',
        message: expect.stringContaining('grows') as string,
      }),
    );
  });

  it('gains nothing by a new connection', () => {
    const flood = Array.from({ length: 500 }, () => problem('x'.repeat(2000)));
    for (let count = 0; count < 10; count += 1) {
      session = connect();
      for (let part = 0; part < 5; part += 1) say(...flood);
    }
    // The page offered 50 MB.
    expect(loggedChars()).toBeLessThan(6 * 1024 * 1024);
  });

  it('still ends its log', async () => {
    say(configEvent());
    for (let count = 0; count < 6; count += 1) {
      say(...Array.from({ length: 500 }, () => problem('x'.repeat(2000))));
    }
    say({ type: 'end', monotonicMs: 0, reason: 'ended' });
    await session.close('interrupted');
    expect(sink.events.at(-1)).toMatchObject({ type: 'end', reason: 'ended' });
  });

  it('has a bounded rate of name look-ups', () => {
    for (let count = 0; count < 25; count += 1) {
      session.receive({ type: 'watch', origins: [`http://host${count}.example`] });
    }
    expect(transport.watched).toEqual(['http://host19.example']);
    expect(ended).toBeUndefined();
  });
});

it('a long session loses no line', () => {
  say(configEvent());
  for (let second = 0; second < 3600; second += 1) {
    // Eight times the measured rate of a player.
    for (let count = 0; count < 10; count += 1) say(problem('x'.repeat(2000)));
    clock.advance(1000);
  }
  expect(sink.events.filter((event) => event.type === 'error')).toHaveLength(36_000);
});

it('logs whole URLs on request', () => {
  const whole = createFeedSession({
    transport,
    sink,
    clock,
    logLimit,
    channel: { send: () => undefined, congested: () => false, disconnect: () => undefined },
    wholeUrls: true,
  });
  whole.receive({ type: 'log', events: [configEvent({ mpd: 'https://cdn/a.mpd?sig=s3cret' })] });
  expect(sink.events[0]).toMatchObject({ settings: { mpd: 'https://cdn/a.mpd?sig=s3cret' } });
});

it('omits the values of queries from the log', () => {
  say(configEvent({ mpd: 'https://me:pw@cdn/a.mpd?sig=s3cret' }));
  say(problem('HTTP 403 for https://cdn/1.m4s?sig=s3cret'));
  expect(JSON.stringify(sink.events)).not.toMatch(/s3cret|pw@/);
  expect(sink.events.at(-1)).toMatchObject({
    message: 'HTTP 403 for https://cdn/1.m4s?sig=redacted',
  });
});
