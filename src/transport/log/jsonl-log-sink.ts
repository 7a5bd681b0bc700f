import { closeSync, ftruncateSync, fstatSync, writeSync } from 'node:fs';
import path from 'node:path';
import { errorText } from '../../core';
import type { LogSink } from '../../ports';
import type { LogEvent } from '../../session-log';
import { makeFolder } from './make-folder';
import { isInPlace, openOwn, putBack } from './put-back';

/** A session log cannot be opened, written or understood. */
export class LogError extends Error {
  override readonly name = 'LogError';

  constructor(
    readonly code:
      'LOG_NOT_WRITABLE' | 'LOG_WRITE_FAILED' | 'LOG_NOT_READABLE' | 'LOG_OTHER_VERSION',
    readonly path: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export interface JsonlLogOptions {
  /** Called once, when writing fails during the run. Later events are dropped. */
  onError?: (error: LogError) => void;
  /** Called when another process deleted or moved the log, and it was restored completely. */
  onNote?: (message: string) => void;
}

export interface JsonlLogSink extends LogSink {
  readonly path: string;
}

function open(file: string): number {
  try {
    makeFolder(path.dirname(file));
    return openOwn(file);
  } catch (error) {
    const message = `${file} cannot be written (${errorText(error)}): choose another log directory`;
    throw new LogError('LOG_NOT_WRITABLE', file, message, error);
  }
}

/**
 * Opens a session log for writing, one JSON object a line. Each line reaches the kernel before `write`
 * returns: a killed process loses at most the line it was writing. The next event restores a log that another
 * process deleted or moved.
 * @throws LogError (LOG_NOT_WRITABLE) when the file cannot be opened
 */
export function openJsonlLog(file: string, options: JsonlLogOptions = {}): JsonlLogSink {
  let fd = open(file);
  let wholeBytes = fstatSync(fd).size;
  let usable = true;
  let isOpen = true;

  const fail = (error: unknown): void => {
    usable = false;
    try {
      // A partial last line would read as damage.
      ftruncateSync(fd, wholeBytes);
    } catch {
      // Not a regular file, or the disk has failed. Readers accept a torn last line.
    }
    const message = `${file}: ${errorText(error)}; the rest of this session is not logged`;
    options.onError?.(new LogError('LOG_WRITE_FAILED', file, message, error));
  };

  return {
    path: file,
    write(event: LogEvent) {
      if (!usable) return;
      try {
        if (!isInPlace(fd, file)) {
          fd = putBack(fd, file);
          options.onNote?.(`${file} was deleted or moved while it was written; it is back, whole`);
        }
        const line = Buffer.from(`${JSON.stringify(event)}\n`);
        for (let done = 0; done < line.length;) done += writeSync(fd, line, done);
        wholeBytes += line.length;
      } catch (error) {
        fail(error);
      }
    },
    close() {
      usable = false;
      if (isOpen) closeSync(fd);
      isOpen = false;
      return Promise.resolve();
    },
  };
}
