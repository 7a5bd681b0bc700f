import { describe, expect, it, vi } from 'vitest';
import { limits, parseLogEvent } from '../../ipc';
import { createFakeClock, createMemoryLogSink } from '../../ports/testing';
import { LOG_SCHEMA_VERSION, type LogEvent } from '../../session-log';
import { Session } from './session';

const config = {
  type: 'config',
  schemaVersion: LOG_SCHEMA_VERSION,
  startedAt: '2026-01-01T00:00:00Z',
  player: 'test',
  playerVersion: '0',
  settings: {},
} as const;
const startup = { type: 'startup', startupDelayMs: 1 } as const;

function setUp() {
  const clock = createFakeClock(500);
  const sink = createMemoryLogSink();
  return { clock, sink, session: new Session(clock, sink) };
}

describe('Session', () => {
  it('begins with config, ends with end, and writes nothing outside', () => {
    const { clock, sink, session } = setUp();
    session.emit(startup);
    session.begin(config);
    session.begin(config);
    clock.advance(10);
    session.emit(startup);
    session.end('closed');
    session.end('failed');
    session.emit(startup);
    expect(sink.events.map((event) => [event.type, event.monotonicMs])).toEqual([
      ['config', 500],
      ['startup', 510],
      ['end', 510],
    ]);
  });

  it('ends once, also where a listener of the end ends it too', () => {
    const { sink, session } = setUp();
    const heard: string[] = [];
    session.subscribe(({ type }) => {
      heard.push(type);
      if (type === 'end') session.close('closed');
    });
    session.begin(config);
    session.end('ended');
    expect(heard).toEqual(['config', 'end']);
    expect(sink.events.map(({ type }) => type)).toEqual(['config', 'end']);
  });

  it('tells listeners of a failure after each end of the stream, until the player ends', () => {
    const { sink, session } = setUp();
    const heard: string[] = [];
    session.subscribe((event) => void heard.push(event.type));
    session.begin(config);
    session.end('ended');
    session.emit(startup);
    session.end('ended');
    session.emit({ type: 'error', code: 'x', message: 'gone', fatal: true });
    session.close('closed');
    session.emit({ type: 'error', code: 'x', message: 'gone', fatal: true });
    expect(heard).toEqual(['config', 'end', 'error']);
    expect(sink.events.map(({ type }) => type)).toEqual(['config', 'end']);
  });

  it('continues after a listener threw', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { session } = setUp();
    const heard: LogEvent[] = [];
    session.subscribe(() => {
      throw new Error('broken');
    });
    session.subscribe((event) => void heard.push(event));
    session.begin(config);
    expect(heard).toHaveLength(1);
    expect(error).toHaveBeenCalledOnce();
    error.mockRestore();
  });

  it('truncates text, so that one long address does not void a whole batch of events', () => {
    const { sink, session } = setUp();
    session.begin(config);
    session.emit({ type: 'error', code: 'x', message: 'm'.repeat(9000), fatal: false });
    session.emit({
      type: 'request',
      requestId: 1,
      kind: 'media',
      url: `data:${'u'.repeat(limits.urlChars * 2)}`,
      startMs: 0,
      endMs: 1,
      bytes: 1,
      status: 200,
      outcome: 'ok',
    });
    for (const event of sink.events) expect(parseLogEvent(event)).toMatchObject({ ok: true });
  });

  it('remembers a fatal error', () => {
    const { session } = setUp();
    session.begin(config);
    session.emit({ type: 'error', code: 'x', message: '', fatal: false });
    expect(session.failed).toBe(false);
    session.emit({ type: 'error', code: 'x', message: '', fatal: true });
    expect(session.failed).toBe(true);
  });
});
