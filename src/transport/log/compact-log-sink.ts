import { closeSync, ftruncateSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { errorText } from '../../core';
import type { LogEvent } from '../../session-log';
import { LogError, type JsonlLogOptions, type JsonlLogSink } from './jsonl-log-sink';
import { makeFolder } from './make-folder';
import { isInPlace, OWNER_ONLY, putBack } from './put-back';

/** Ending of a compact log's name. */
export const COMPACT_LOG_ENDING = '.jsonl.gz';

/** A file next to the log holds the lines that are not compressed yet. */
export const tailFileOf = (file: string): string => `${file}.tail`;

/**
 * Characters compressed at once: ten seconds of a session over two paths. A smaller block compresses worse
 * (64 KiB: 15 % more). A larger one blocks the process longer (this one 5 ms).
 */
const DEFAULT_BLOCK_BYTES = 256 * 1024;

export interface CompactLogOptions extends JsonlLogOptions {
  blockBytes?: number;
}

/** First line of a tail: the length in bytes of the log before it. */
export const tailHeader = (afterBytes: number): string =>
  `${JSON.stringify({ after: afterBytes })}\n`;

function writeWhole(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

function open(file: string): { main: number; tail: number } {
  try {
    makeFolder(path.dirname(file));
    const main = openSync(file, 'ax+', OWNER_ONLY);
    // One that is left belongs to no log, or is another user's link.
    rmSync(tailFileOf(file), { force: true });
    return { main, tail: openSync(tailFileOf(file), 'ax+', OWNER_ONLY) };
  } catch (error) {
    const message = `${file} cannot be written (${errorText(error)}): choose another log directory`;
    throw new LogError('LOG_NOT_WRITABLE', file, message, error);
  }
}

/**
 * Opens a session log of a tenth of the size: gzip members of whole lines (RFC 1952, section 2.2), readable
 * by `zcat`. Each line reaches the kernel, in the tail file, before `write` returns: a killed process loses
 * at most the line it was writing.
 *
 * The tail's first line gives the length of the log before it. A reader takes the log up to that length and
 * then the tail. At whichever step of a fold the process is killed, no line is lost or read twice.
 * @throws LogError (LOG_NOT_WRITABLE) when the file exists or cannot be opened
 */
export function openCompactLog(file: string, options: CompactLogOptions = {}): JsonlLogSink {
  let { main, tail } = open(file);
  const blockBytes = options.blockBytes ?? DEFAULT_BLOCK_BYTES;
  let mainBytes = 0;
  let lines: Buffer[] = [];
  let linesBytes = 0;
  let headerBytes = 0;
  let state: 'open' | 'failed' | 'closed' = 'open';

  const beginTail = (): void => {
    const header = Buffer.from(tailHeader(mainBytes));
    ftruncateSync(tail, 0);
    writeWhole(tail, header);
    headerBytes = header.length;
  };
  const fold = (): void => {
    if (linesBytes === 0) return;
    const member = gzipSync(Buffer.concat(lines));
    writeWhole(main, member);
    mainBytes += member.length;
    lines = [];
    linesBytes = 0;
    beginTail();
  };
  const fail = (error: unknown): void => {
    state = 'failed';
    try {
      // A partial member or line would read as damage.
      ftruncateSync(main, mainBytes);
      ftruncateSync(tail, headerBytes + linesBytes);
    } catch {
      // The disk has failed. The reader trusts the tail's header and accepts a torn last line.
    }
    const message = `${file}: ${errorText(error)}; the rest of this session is not logged`;
    options.onError?.(new LogError('LOG_WRITE_FAILED', file, message, error));
  };
  const attempt = (step: () => void): void => {
    if (state !== 'open') return;
    try {
      step();
    } catch (error) {
      fail(error);
    }
  };

  /** Both files are needed to read the log. */
  const stayInPlace = (): void => {
    const isMain = isInPlace(main, file);
    const isTail = isInPlace(tail, tailFileOf(file));
    if (isMain && isTail) return;
    if (!isMain) main = putBack(main, file);
    if (!isTail) tail = putBack(tail, tailFileOf(file));
    options.onNote?.(`${file} was deleted or moved while it was written; it is back, whole`);
  };

  attempt(beginTail);
  return {
    path: file,
    write(event: LogEvent) {
      attempt(() => {
        stayInPlace();
        const line = Buffer.from(`${JSON.stringify(event)}\n`);
        writeWhole(tail, line);
        lines.push(line);
        linesBytes += line.length;
        if (linesBytes >= blockBytes) fold();
      });
    },
    close() {
      if (state === 'closed') return Promise.resolve();
      attempt(() => {
        stayInPlace();
        fold();
        unlinkSync(tailFileOf(file));
      });
      state = 'closed';
      closeSync(main);
      closeSync(tail);
      return Promise.resolve();
    },
  };
}
