import { errorText } from '../../core';
import { createSummary } from '../../qoe';
import { writeJson } from '../../runner/host';
import type { LogEvent } from '../../session-log';
import { OWNER_ONLY } from '../../transport';

export interface SessionReport {
  /** A stream begins; the summary covers the last one. */
  begin(logFile: string | undefined): void;
  add(event: LogEvent): void;
  /** Writes the summary, if one was requested; returns the error message. */
  write(): string | undefined;
  /** True if the last stream failed or there was none. */
  readonly failed: boolean;
}

/** Summarizes the last stream from its events. */
export function createSessionReport(jsonFile: string | undefined): SessionReport {
  let summary = createSummary();
  let log: string | undefined;
  let failed = true;
  return {
    begin(logFile) {
      summary = createSummary();
      log = logFile;
      failed = false;
    },
    add(event) {
      summary.add(event);
      if (event.type === 'error' && event.fatal) failed = true;
    },
    write() {
      if (jsonFile === undefined) return undefined;
      const result = { ...summary.finish(), ...(log !== undefined && { logFile: log }) };
      try {
        // It shows what a user watched.
        writeJson(jsonFile, result, OWNER_ONLY);
        return undefined;
      } catch (error) {
        return `the summary could not be written: ${errorText(error)}`;
      }
    },
    get failed() {
      return failed;
    },
  };
}
