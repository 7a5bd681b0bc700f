import type { LogEvent } from '../qoe';

/** Port: where session events go. Writing never throws; failures are told through `onError` once. */
export interface LogSink {
  write(event: LogEvent): void;
  /** Resolves when everything written so far is out of this process. */
  close(): Promise<void>;
}
