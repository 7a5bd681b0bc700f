import { expect } from '@playwright/test';
import type { LogSink } from '../../src/ports';
import type { LogEvent } from '../../src/session-log';
import { openJsonlLog, readLog } from '../../src/transport';

/** A log file that also shows its events in `seen`, in the order of its lines. */
export function openSeenLog(file: string, seen: LogEvent[]): LogSink {
  const sink = openJsonlLog(file);
  return {
    write: (event) => {
      seen.push(event);
      sink.write(event);
    },
    close: () => sink.close(),
  };
}

/** The log files of one agent's sessions. */
export interface SessionLogs {
  /** @param session its number, from 1 */
  open: (session: number) => LogSink;
  expectWhole: () => void;
}

/**
 * Opens a log file for each session of an agent.
 * @param fileOf the path for a session's number
 */
export function sessionLogs(
  fileOf: (session: number) => string,
  openLog: (file: string) => LogSink = openJsonlLog,
): SessionLogs {
  const files: string[] = [];
  return {
    open: (session) => {
      const file = fileOf(session);
      files.push(file);
      return openLog(file);
    },
    expectWhole: () => {
      for (const file of files) expectWholeLog(file);
    },
  };
}

/** The log is complete to its last line: every line is valid, the first is the configuration, and only the last is an end. */
export function expectWholeLog(file: string): LogEvent[] {
  const { events, errors, tornLine } = readLog(file);
  expect({ errors, tornLine }, file).toEqual({ errors: [], tornLine: undefined });
  expect(events[0]?.type, file).toBe('config');
  const ends = events.flatMap((event, line) => (event.type === 'end' ? [line] : []));
  expect(ends, `${file}: lines of ends`).toEqual([events.length - 1]);
  return events;
}
