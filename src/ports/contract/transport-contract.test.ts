import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../session-log';
import type { TransportMessage } from '..';
import { createFakeClock, createFakeTransport, createReplayTransport } from '../testing';
import { transportContract } from '.';

const settled = (): Promise<void> => Promise.resolve();

transportContract({ describe, it, expect }, 'in-memory fake', (script) => {
  const transport = createFakeTransport();
  const phases = [...script];
  return {
    transport,
    next() {
      for (const message of phases.shift() ?? []) transport.emit(message);
      return settled();
    },
    settle: settled,
    watched: () => transport.watched,
    dispose: settled,
  };
});

const PHASE_MS = 1000;

function toEvent(message: TransportMessage, monotonicMs: number): LogEvent {
  switch (message.type) {
    case 'status':
      return { type: 'status', monotonicMs, status: message.status };
    case 'samples':
      return { type: 'samples', monotonicMs, batch: message.batch };
    case 'path':
      return { type: 'path', monotonicMs, event: message.event };
    case 'path-control':
      return { type: 'path-control', monotonicMs, report: message.report };
    case 'carriage':
      return { type: 'carriage', monotonicMs, report: message.report };
    case 'closed':
      return { type: 'end', monotonicMs, reason: 'closed' };
  }
}

transportContract({ describe, it, expect }, 'replay', (script) => {
  const clock = createFakeClock(77);
  // A recording ends at its last event: `closed` in the script is its end.
  const flat = script.flatMap((messages, phase) =>
    messages.map((message, index) => ({ message, atMs: (phase + 1) * PHASE_MS + index })),
  );
  const endIndex = flat.findIndex(({ message }) => message.type === 'closed');
  const events = flat
    .slice(0, endIndex === -1 ? undefined : endIndex)
    .map(({ message, atMs }) => toEvent(message, atMs));
  const begin: LogEvent = {
    type: 'status',
    monotonicMs: 0,
    status: { state: 'idle', reason: 'Recorded.' },
  };
  const later: LogEvent = { ...begin, monotonicMs: 1e9 };
  const transport = createReplayTransport(
    [begin, ...events, ...(endIndex === -1 ? [later] : [])],
    clock,
  );
  return {
    transport,
    next() {
      // The first step also plays the recorded beginning.
      clock.advance(clock.nowMs() === 77 ? PHASE_MS + PHASE_MS / 2 : PHASE_MS);
      return settled();
    },
    settle: settled,
    dispose: settled,
  };
});

describe('replay', () => {
  const sample = (monotonicMs: number): LogEvent => ({
    type: 'samples',
    monotonicMs,
    batch: { monotonicMs, connections: [], lostSamples: 0 },
  });

  it('keeps the recorded pace and time base, skips other events, and ends', () => {
    const clock = createFakeClock();
    const transport = createReplayTransport(
      [
        { type: 'startup', monotonicMs: 4000, startupDelayMs: 1 },
        sample(5000),
        { type: 'stall', monotonicMs: 5050, phase: 'start' },
        sample(5100),
      ],
      clock,
    );
    const heard: [number, string][] = [];
    clock.advance(500);
    transport.subscribe((message) => heard.push([clock.nowMs(), message.type]));
    clock.advance(99);
    expect(heard).toEqual([
      [500, 'status'],
      [500, 'samples'],
    ]);
    expect(transport.nowMs()).toBe(5099);
    clock.advance(1);
    expect(heard.slice(2)).toEqual([
      [600, 'samples'],
      [600, 'closed'],
    ]);
  });

  it('lets a listener close it in the middle of a burst', () => {
    const clock = createFakeClock();
    const transport = createReplayTransport([sample(1), sample(1.5), sample(2)], clock);
    const heard: string[] = [];
    transport.subscribe((message) => {
      heard.push(message.type);
      if (message.type === 'samples') transport.close();
    });
    clock.advance(100);
    expect(heard).toEqual(['status', 'samples', 'closed']);
  });
});
