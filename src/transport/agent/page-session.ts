import type { RawData, WebSocket } from 'ws';
import { errorText } from '../../core';
import type { LogSink, Transport } from '../../ports';
import type { EndEvent, LogEvent } from '../../session-log';
import type { SharedPathControl } from '../../path-control';
import { createFeedSession, type PageLogLimit } from '../feed';
import { monotonicClock } from '../../kernel';

export interface PageSessionOptions {
  createTransport: () => Transport;
  openLog: (session: number) => LogSink;
  onEvent?: (event: LogEvent, session: number) => void;
  /** Lets pages steer the paths of their streams, one page at a time. The caller closes it. */
  pathControl?: SharedPathControl | undefined;
  wholeUrls?: boolean | undefined;
  maxStrikes?: number;
}

/** Bytes in the page's queue above which the page counts as slow. */
const CONGESTED_BYTES = 256 * 1024;
/** Time a page has to answer the close frame. */
const GOODBYE_MS = 500;

function decode(data: RawData, binary: boolean): { value: unknown } | { error: string } {
  if (binary) return { error: 'not a text message' };
  // ws delivers text as one Buffer by default.
  const text = (data as Buffer).toString('utf8');
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { error: 'not JSON' };
  }
}

const noLog: LogSink = { write: () => undefined, close: () => Promise.resolve() };

export interface PageSession {
  close(reason: EndEvent['reason']): Promise<void>;
}

/** Runs one page's session over its WebSocket, from the first message to the closed log. */
export function runPageSession(
  page: WebSocket,
  options: PageSessionOptions,
  number: number,
  logLimit: PageLogLimit,
): PageSession {
  let openError: string | undefined;
  let sink = noLog;
  try {
    sink = options.openLog(number);
  } catch (error) {
    // Playback without a log is better than none. The page receives a notice below.
    openError = errorText(error);
  }
  const onEvent = (event: LogEvent): void => options.onEvent?.(event, number);
  const session = createFeedSession({
    transport: options.createTransport(),
    sink,
    clock: monotonicClock,
    onEvent,
    pathControl: options.pathControl,
    wholeUrls: options.wholeUrls,
    logLimit,
    ...(options.maxStrikes === undefined ? {} : { maxStrikes: options.maxStrikes }),
    channel: {
      send(message) {
        if (page.readyState !== page.OPEN) return;
        page.send(JSON.stringify(message), () => session.drained());
      },
      congested: () => page.bufferedAmount > CONGESTED_BYTES,
      disconnect: (reason) => goodbye(page, reason),
    },
  });
  if (openError !== undefined) {
    const message = openError;
    onEvent({
      type: 'error',
      monotonicMs: monotonicClock.nowMs(),
      code: 'LOG_NOT_WRITABLE',
      message,
      fatal: false,
    });
  }

  // Answers to a page that requests and never reads must not accumulate.
  page.on('ping', (data) => {
    if (page.bufferedAmount > CONGESTED_BYTES) return;
    page.pong(data, undefined, () => session.drained());
  });
  page.on('message', (data, binary) => {
    const decoded = decode(data, binary);
    if ('error' in decoded) session.refuse(decoded.error);
    else session.receive(decoded.value);
  });
  // A message was too large or the framing broken: ws closes the connection after this.
  page.on('error', (error) => session.refuse(error.message));
  page.on('close', () => void session.close('interrupted'));

  return {
    async close(reason) {
      const closed = session.close(reason);
      goodbye(page, 'the agent ends');
      await closed;
    },
  };
}

/** Sends a close frame first, then cuts the connection. */
function goodbye(page: WebSocket, reason: string): void {
  // A close frame holds at most 123 bytes of text.
  page.close(
    1000,
    Buffer.from(reason)
      .subarray(0, 120)
      .toString('utf8')
      .replace(/\uFFFD+$/, ''),
  );
  setTimeout(() => page.terminate(), GOODBYE_MS).unref();
}
