import { afterEach, expect, it, vi } from 'vitest';
import type { TimelineEvent } from '../../scenario';
import { playEvents } from './shell-events';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('plays the events of network and server, and names those of the player', () => {
  vi.useFakeTimers();
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const events: TimelineEvent[] = [
    { atMs: 1000, kind: 'link-state', link: 'wifi', state: 'down' },
    { atMs: 2000, kind: 'suspend', part: 'agent', durationMs: 5000 },
    { atMs: 3000, kind: 'server-state', state: 'down' },
    { atMs: 4000, kind: 'kill', part: 'browser' },
    { atMs: 5000, kind: 'clock', aheadMs: 1 },
  ];
  const applied: string[] = [];
  const apply = ({ kind }: TimelineEvent): Promise<void> => {
    applied.push(kind);
    return Promise.resolve();
  };
  playEvents(events, {} as Parameters<typeof playEvents>[1], apply);
  vi.advanceTimersByTime(10_000);
  expect(applied).toEqual(['link-state', 'server-state']);
  expect(written[0]).toBe(
    '[lab] skipped, since no player runs here: suspend at 2 s, kill at 4 s, clock at 5 s\n',
  );
});
