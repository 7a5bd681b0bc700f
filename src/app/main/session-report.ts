import { writeFile } from 'node:fs/promises';
import { createSummary, type LogEvent } from '../../qoe';

export interface SessionReport {
  /** A stream begins; the summary is about the last one. */
  begin(logFile: string | undefined): void;
  add(event: LogEvent): void;
  /** Writes the summary, where one was asked for; gives what went wrong. */
  write(): Promise<string | undefined>;
  /** The last stream failed, or there was none. */
  readonly failed: boolean;
}

/** Sums up the last stream as its events go by. */
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
    async write() {
      if (jsonFile === undefined) return undefined;
      const result = { ...summary.finish(), ...(log !== undefined && { logFile: log }) };
      try {
        await writeFile(jsonFile, `${JSON.stringify(result, null, 2)}\n`);
        return undefined;
      } catch (error) {
        return `the summary could not be written: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    get failed() {
      return failed;
    },
  };
}
