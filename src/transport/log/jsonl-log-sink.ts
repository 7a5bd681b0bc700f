import { closeSync, ftruncateSync, fstatSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { LogSink } from '../../ports';
import type { LogEvent } from '../../qoe';
import { makeFolder } from './make-folder';

/** A session log cannot be opened or written. */
export class LogError extends Error {
  override readonly name = 'LogError';

  constructor(
    readonly code: 'LOG_NOT_WRITABLE' | 'LOG_WRITE_FAILED' | 'LOG_NOT_READABLE',
    readonly path: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export interface JsonlLogOptions {
  /** Told once, when writing fails in mid-run; from then on events are dropped. */
  onError?: (error: LogError) => void;
}

export interface JsonlLogSink extends LogSink {
  readonly path: string;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function open(file: string): number {
  try {
    makeFolder(path.dirname(file));
    return openSync(file, 'a');
  } catch (error) {
    const message = `${file} cannot be written (${reasonOf(error)}): choose another log directory`;
    throw new LogError('LOG_NOT_WRITABLE', file, message, error);
  }
}

/**
 * Opens a session log for writing, one JSON object a line. Each line is handed to the kernel before
 * `write` returns: a killed process loses at most the line it was writing.
 * @throws LogError (LOG_NOT_WRITABLE) when the file cannot be opened
 */
export function openJsonlLog(file: string, options: JsonlLogOptions = {}): JsonlLogSink {
  const fd = open(file);
  let wholeBytes = fstatSync(fd).size;
  let usable = true;
  let isOpen = true;

  const fail = (error: unknown): void => {
    usable = false;
    try {
      // Half a line at the end would read as damage.
      ftruncateSync(fd, wholeBytes);
    } catch {
      // Not a regular file, or the disk is gone: readers cope with a torn last line.
    }
    const message = `${file}: ${reasonOf(error)}; the rest of this session is not logged`;
    options.onError?.(new LogError('LOG_WRITE_FAILED', file, message, error));
  };

  return {
    path: file,
    write(event: LogEvent) {
      if (!usable) return;
      try {
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
