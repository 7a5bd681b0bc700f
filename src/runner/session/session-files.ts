import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LogSink } from '../../ports';
import { logEnding, logFormats, openLog, type LogFormat } from '../../transport';
import { makeOutFolder } from '../host/run-dir';
import { warn } from '../host/terminal';
import { UserError } from '../host/user-error';

/** The log of a session's page; a reloaded page has a log of its own. */
export function sessionLogFile(folder: string, page: number, format: LogFormat): string {
  return path.join(folder, `${page <= 1 ? 'session' : `session-${page}`}${logEnding(format)}`);
}

/**
 * The log of one page, whose configuration has the settings of the command too.
 * @param onState called with true once it is open, with false when a line could not be written
 * @throws Error if it cannot be opened
 */
export function openSessionLog(
  { logFormat = 'plain', settings }: { logFormat?: LogFormat; settings: Record<string, unknown> },
  file: string,
  onState: (isWhole: boolean) => void,
): LogSink {
  onState(false);
  const sink = openLog(file, logFormat, {
    onError: (error) => {
      onState(false);
      warn(error.message);
    },
    onNote: warn,
  });
  onState(true);
  return {
    write: (event) =>
      sink.write(
        event.type === 'config'
          ? { ...event, settings: { ...settings, ...event.settings } }
          : event,
      ),
    close: () => sink.close(),
  };
}

/** Creates the folder of a session. @throws UserError if it holds an earlier one, or cannot be written */
export function makeSessionFolder(folder: string): void {
  const logFile = logFormats
    .map((format) => sessionLogFile(folder, 1, format))
    .find((file) => existsSync(file));
  if (logFile !== undefined) {
    throw new UserError(
      `${logFile} is the log of an earlier session: choose another folder with --out`,
    );
  }
  makeOutFolder(folder);
}
