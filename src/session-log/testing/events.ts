import type { LogEvent } from '..';

/** The first event of a log. */
export const configEvent = (
  settings: Record<string, unknown> = {},
): Extract<LogEvent, { type: 'config' }> => ({
  type: 'config',
  monotonicMs: 0,
  schemaVersion: 1,
  startedAt: '2026-01-01T00:00:00Z',
  player: 'test',
  playerVersion: '0',
  settings,
});

export const stallEvent = (monotonicMs: number): LogEvent => ({
  type: 'stall',
  monotonicMs,
  phase: 'start',
});
