import type { Clock, LogSink } from '../../ports';
import { LOG_SCHEMA_VERSION, type EndEvent, type LogEvent } from '../../qoe';

/** Events of the transport kept while the page has not yet said how it is configured. */
const maxPending = 2000;

export interface SessionLog {
  record(event: LogEvent): void;
  /** Writes what is missing of a whole log (configuration, end) and closes it. Idempotent. */
  close(reason: EndEvent['reason']): Promise<void>;
}

/**
 * One session's log, whoever its events come from: `config` becomes the first line, `end` the last, and
 * what the transport saw before the page introduced itself comes right after the configuration.
 */
export function createSessionLog(
  sink: LogSink,
  clock: Clock,
  onEvent: (event: LogEvent) => void,
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

  const record = (event: LogEvent): void => {
    if (ended || closed) return;
    if (event.type === 'end') {
      ended = true;
      if (pending) open(unnamedConfig(clock));
    }
    if (event.type === 'config') {
      if (pending) open(event);
      else record(errorEvent(clock, 'SECOND_CONFIG', 'the page sent a second configuration'));
    } else if (pending) {
      pending.push(event);
      if (pending.length > maxPending) pending.shift();
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
    settings: { note: 'the page ended before it told its configuration' },
  };
}

export function errorEvent(clock: Clock, code: string, message: string): LogEvent {
  return { type: 'error', monotonicMs: clock.nowMs(), code, message, fatal: false };
}
