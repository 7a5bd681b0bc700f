import { redactUrlsIn } from '../../core';
import type { Clock, LogSink } from '../../ports';
import { LOG_SCHEMA_VERSION, type EndEvent, type LogEvent } from '../../session-log';

/** Events that contain URLs. Signed URLs and session tokens must not enter a file that users share. */
const withUrls: ReadonlySet<LogEvent['type']> = new Set([
  'config',
  'manifest',
  'request',
  'carriage',
  'error',
]);

/** Transport events stored until the page sends its configuration. */
const MAX_PENDING = 2000;

export interface SessionLog {
  record(event: LogEvent): void;
  /** Adds the missing lines of a complete log (configuration, end) and closes it. Idempotent. */
  close(reason: EndEvent['reason']): Promise<void>;
}

/**
 * One session's log, for events of any source. `config` becomes the first line, `end` the last. Transport
 * events from before the page's configuration follow it directly. Values in the query of a URL are removed.
 * @param wholeUrls keep the values
 */
export function createSessionLog(
  sink: LogSink,
  clock: Clock,
  onEvent: (event: LogEvent) => void,
  wholeUrls = false,
): SessionLog {
  let pending: LogEvent[] | undefined = [];
  let ended = false;
  let closed: Promise<void> | undefined;

  const open = (config: LogEvent): void => {
    const early = pending ?? [];
    pending = undefined;
    sink.write(config);
    for (const event of early) sink.write(event);
  };

  const record = (whole: LogEvent): void => {
    if (ended || closed) return;
    const event = wholeUrls || !withUrls.has(whole.type) ? whole : redactUrlsIn(whole);
    if (event.type === 'end') {
      ended = true;
      if (pending) open(unnamedConfig(clock));
    }
    if (event.type === 'config') {
      if (pending) open(event);
      else record(errorEvent(clock, 'SECOND_CONFIG', 'the page sent a second configuration'));
    } else if (pending) {
      pending.push(event);
      if (pending.length > MAX_PENDING) pending.shift();
    } else {
      sink.write(event);
    }
    onEvent(event);
  };

  return {
    record,
    close(reason) {
      if (!ended) record({ type: 'end', monotonicMs: clock.nowMs(), reason });
      closed ??= sink.close();
      return closed;
    },
  };
}

function unnamedConfig(clock: Clock): LogEvent {
  return {
    type: 'config',
    monotonicMs: clock.nowMs(),
    schemaVersion: LOG_SCHEMA_VERSION,
    startedAt: new Date().toISOString(),
    player: 'unknown',
    playerVersion: 'unknown',
    settings: { note: 'the page ended before it sent its configuration' },
  };
}

export function errorEvent(clock: Clock, code: string, message: string): LogEvent {
  return { type: 'error', monotonicMs: clock.nowMs(), code, message, fatal: false };
}
