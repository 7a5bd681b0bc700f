import type { RawData, WebSocket } from 'ws';
import type { LogSink, Transport } from '../../ports';
import type { EndEvent, LogEvent } from '../../qoe';
import type { SharedPathControl } from '../path-control';
import { createFeedSession } from '../feed';
import { monotonicClock } from '../monotonic-clock';

export interface PageSessionOptions {
  createTransport: () => Transport;
  openLog: (session: number) => LogSink;
  onEvent?: (event: LogEvent, session: number) => void;
  /** Lets pages decide about the paths of their streams, one page at a time; it stays the caller's to close. */
  pathControl?: SharedPathControl | undefined;
  maxStrikes?: number;
}

/** Bytes waiting for the page beyond which it counts as slow. */
const congestedBytes = 256 * 1024;
/** How long a page that was told goodbye may take to answer. */
const goodbyeMs = 500;

function decode(data: RawData, binary: boolean): { value: unknown } | { error: string } {
  if (binary) return { error: 'not a text message' };
  // ws hands text over as one Buffer unless told otherwise.
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

/** Runs one page's session over its WebSocket, from the greeting to the closed log. */
export function runPageSession(
  page: WebSocket,
  options: PageSessionOptions,
  number: number,
): PageSession {
  let openError: string | undefined;
  let sink = noLog;
  try {
    sink = options.openLog(number);
  } catch (error) {
    // Playing without a log is better than not playing; it is told below.
    openError = error instanceof Error ? error.message : String(error);
  }
  const onEvent = (event: LogEvent): void => options.onEvent?.(event, number);
  const session = createFeedSession({
    transport: options.createTransport(),
    sink,
    clock: monotonicClock,
    onEvent,
    pathControl: options.pathControl,
    ...(options.maxStrikes === undefined ? {} : { maxStrikes: options.maxStrikes }),
    channel: {
      send(message) {
        if (page.readyState !== page.OPEN) return;
        page.send(JSON.stringify(message), () => session.drained());
      },
      congested: () => page.bufferedAmount > congestedBytes,
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

  page.on('message', (data, binary) => {
    const decoded = decode(data, binary);
    if ('error' in decoded) session.refuse(decoded.error);
    else session.receive(decoded.value);
  });
  // Too large a message or broken framing: ws closes the connection by itself after this.
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

/** Closes politely, then firmly. */
function goodbye(page: WebSocket, reason: string): void {
  // A close frame holds at most 123 bytes of text.
  page.close(
    1000,
    Buffer.from(reason)
      .subarray(0, 120)
      .toString('utf8')
      .replace(/\uFFFD+$/, ''),
  );
  setTimeout(() => page.terminate(), goodbyeMs).unref();
}
