import type { LogEvent } from '../../session-log';
import type { LogSink } from '../log-sink';

export interface MemoryLogSink extends LogSink {
  readonly events: LogEvent[];
  readonly closed: boolean;
}

/** Keeps a log in memory, for tests. */
export function createMemoryLogSink(): MemoryLogSink {
  const events: LogEvent[] = [];
  let closed = false;
  return {
    events,
    get closed() {
      return closed;
    },
    write(event) {
      if (!closed) events.push(event);
    },
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}
