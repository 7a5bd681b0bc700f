import { constants, writeFile } from 'node:fs/promises';
import { errorText } from '../../core';
import { createSummary } from '../../qoe';
import type { LogEvent } from '../../session-log';
import { OWNER_ONLY } from '../../transport';

export interface SessionReport {
  /** A stream begins; the summary covers the last one. */
  begin(logFile: string | undefined): void;
  add(event: LogEvent): void;
  /** Writes the summary, if one was requested; returns the error message. */
  write(): Promise<string | undefined>;
  /** True if the last stream failed or there was none. */
  readonly failed: boolean;
}

/** For the owner only: it shows what a user watched. A symbolic link could lead to another file. */
const OWN_FILE = {
  mode: OWNER_ONLY,
  flag: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
};

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
    async write() {
      if (jsonFile === undefined) return undefined;
      const result = { ...summary.finish(), ...(log !== undefined && { logFile: log }) };
      try {
        await writeFile(jsonFile, `${JSON.stringify(result, null, 2)}\n`, OWN_FILE);
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
