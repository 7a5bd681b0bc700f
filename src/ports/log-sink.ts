import type { LogEvent } from '../session-log';

/** Port: the destination of session events. Writing never throws; `onError` reports a failure once. */
export interface LogSink {
  write(event: LogEvent): void;
  /** Resolves once everything written so far has left this process. */
  close(): Promise<void>;
}
