import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookup } from 'mrmime';
import type { AnswerFault } from '../scenario';
import { offerPart, requestedPart, type RequestedPart } from './requested-part';

/** Interval of a trickle's bytes: no client sees a pause. */
const TRICKLE_MS = 100;
/** Interval of a slow head's bytes: shorter than a client's time limit of inactivity, so only a total limit ends it. */
const SLOW_HEAD_BYTE_MS = 1000;

/** The faults of a server; the newest match counts. */
export class AnswerFaults {
  /** The newest first. */
  #faults: { pattern: RegExp; fault: AnswerFault; left: number; id: string | undefined }[] = [];

  /**
   * @param times number of matching requests that get the fault; default: all
   * @param id for `mend`
   */
  add(pattern: RegExp, fault: AnswerFault, times = Infinity, id?: string): void {
    this.#faults.unshift({ pattern, fault, left: times, id });
  }

  /** Ends the faults with this id; without one, all. */
  mend(id?: string): void {
    this.#faults = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
  }

  /** The fault for a request, which counts as used. */
  take(pathname: string): AnswerFault | undefined {
    const found = this.#faults.find(({ pattern, left }) => left > 0 && pattern.test(pathname));
    if (found === undefined) return undefined;
    found.left -= 1;
    return found.fault;
  }
}

interface FileRange extends RequestedPart {
  file: string;
  size: number;
  etag: string;
}

/** The requested part of a file below `root`. Undefined if there is no such file. */
function rangeOf(
  root: string,
  pathname: string,
  headers: IncomingHttpHeaders,
): FileRange | undefined {
  const file = path.join(root, path.normalize(decodeURIComponent(pathname)));
  if (!file.startsWith(path.resolve(root) + path.sep)) return undefined;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return undefined;
  const { size, mtimeMs } = found;
  // nginx's validator: without a strong one, a player does not join byte ranges from two networks.
  const etag = `"${Math.floor(mtimeMs / 1000).toString(16)}-${size.toString(16)}"`;
  return { file, size, etag, ...requestedPart(headers, etag, size) };
}

function read({ file, start, end }: FileRange): Buffer {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  const fd = openSync(file, 'r');
  try {
    readSync(fd, bytes, 0, bytes.length, start);
  } finally {
    closeSync(fd);
  }
  return bytes;
}

/** Noise from a given byte of the file on. The bytes before it, such as the boxes of a segment's head, stay. */
function corrupt(bytes: Buffer, start: number, fromByte: number): void {
  for (let at = Math.max(0, fromByte - start); at < bytes.length; at += 1) {
    bytes[at] = ((start + at) * 151 + 7) % 251;
  }
}

async function* trickle(bytes: Buffer, rateBps: number): AsyncGenerator<Buffer> {
  const step = Math.max(1, Math.round((rateBps / 8_000) * TRICKLE_MS));
  for (let at = 0; at < bytes.length; at += step) {
    yield bytes.subarray(at, at + step);
    await sleep(TRICKLE_MS);
  }
}

/** Sends the status line and headers at a byte a second. A client waits for their end and sees a living connection. */
async function sendHeadSlowly(response: ServerResponse): Promise<void> {
  const { socket } = response;
  for (const byte of 'HTTP/1.1 200 OK\r\nX-Slow: ') {
    if (socket?.writable !== true) return;
    socket.write(byte);
    await sleep(SLOW_HEAD_BYTE_MS);
  }
  socket?.destroy();
}

/** Any page may read the answer and its timing. */
export function allowEveryOrigin(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Headers', 'Range');
  response.setHeader('Access-Control-Expose-Headers', 'Content-Length, Content-Range, Date');
  response.setHeader('Timing-Allow-Origin', '*');
  response.setHeader('Cache-Control', 'no-store');
}

/** Answers a request with a file below `root`, or with the pending fault. Any origin may read the answer. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  root: string,
  faults: AnswerFaults,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const fault = faults.take(pathname);
  request.socket.setTimeout(0);
  allowEveryOrigin(response);
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  switch (fault?.kind) {
    case 'silent':
      return;
    case 'break':
      return void request.socket.destroy();
    case 'slow-head':
      return sendHeadSlowly(response);
    case 'status':
      return void response.writeHead(fault.status).end();
    case 'text':
      return void response.end(fault.text);
    case 'late':
      await sleep(fault.delayMs);
      break;
    case 'close':
      response.shouldKeepAlive = false;
      break;
    case 'idle': {
      const { timeoutMs } = fault;
      // Counted from the end of the answer, because a transfer over a slow link pauses too.
      response.once('finish', () => request.socket.setTimeout(timeoutMs));
      break;
    }
    default:
  }
  const range = rangeOf(root, pathname, request.headers);
  if (range === undefined) return void response.writeHead(404).end();
  if (!offerPart(response, range, range.etag, range.size)) return;
  await sendRange(response, range, fault);
}

async function sendRange(
  response: ServerResponse,
  range: FileRange,
  fault: AnswerFault | undefined,
): Promise<void> {
  const { start, file } = range;
  let bytes = read(range);
  if (fault?.kind === 'corrupt') corrupt(bytes, start, fault.fromByte);
  if (fault?.kind === 'short')
    bytes = bytes.subarray(0, Math.floor(bytes.length * fault.keepRatio));
  response.setHeader('Content-Type', lookup(file) ?? 'application/octet-stream');
  response.setHeader('Content-Length', bytes.length);
  if (fault?.kind === 'truncated') {
    const kept = bytes.subarray(0, Math.floor(bytes.length * fault.keepRatio));
    return void response.write(kept, () => response.destroy());
  }
  if (fault?.kind !== 'trickle') return void response.end(bytes);
  // A client that gives up ends the pipeline.
  await pipeline(Readable.from(trickle(bytes, fault.rateBps)), response).catch(() => undefined);
}
