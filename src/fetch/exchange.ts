import type { Dispatcher } from 'undici';
import type { FailureKind } from '../chunks';
import { DialError } from './dial';

export interface ResponseHead {
  status: number;
  /** Names in lower case; the first value of a repeated header. */
  headers: Readonly<Record<string, string>>;
}

/** Callbacks of one exchange: `onConnected` once it has a connection, `onHead`, `onData`..., then exactly one of `onEnd` and `onFailure`. */
export interface ExchangeListener {
  onConnected?(): void;
  onHead(head: ResponseHead): void;
  onData(bytes: Buffer): void;
  onEnd(): void;
  onFailure(failure: ExchangeFailure): void;
}

export interface ExchangeFailure {
  kind: FailureKind;
  reason: string;
  /** Another host answered in place of the origin. */
  impostor?: boolean;
  /** The origin's host refused the connection. */
  isRefused?: boolean;
}

/** One request under way. */
export interface Exchange {
  /** Resets the stream of HTTP/2, or closes the connection of HTTP/1.1. No callback follows. */
  cancel(): void;
  /** Stops reading; TCP's window stops the sender. */
  pause(): void;
  resume(): void;
}

/** An exchange on its connection. */
export interface StartedExchange extends Exchange {
  /** As `cancel`, once the answer begins: with HTTP/1.1 the answer before it has ended then. No callback follows. */
  cancelLater(): void;
}

export interface HttpRequest {
  url: URL;
  method: 'GET' | 'HEAD';
  headers: Readonly<Record<string, string>>;
}

function readHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) headers[name.toLowerCase()] = first;
  }
  return headers;
}

/** undici reports the orderly end of an HTTP/2 connection (RFC 9113, section 6.8) by its error code only here. */
const ORDERLY_GOAWAY = /GOAWAY.* code 0$/;
/** The server has not read a stream it refuses (RFC 9113, section 8.7), as after its GOAWAY. Node names the code only here. */
const REFUSED_STREAM = 'NGHTTP2_REFUSED_STREAM';
/** The server closed a connection of HTTP/1.1: undici's code for its FIN, and the kernel's for a request behind it. */
const CLOSED_CODES = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/** The course of an exchange until it failed. */
interface Course {
  /** The connection has carried an earlier request. */
  isReused: boolean;
  hasHead: boolean;
}

/**
 * The server may end a connection at any time that is not its first answer: after a number of requests, or as a request
 * comes to an idle one (RFC 9112, section 9.3.1).
 */
function isOrderlyEnd({ code, message }: NodeJS.ErrnoException, course: Course): boolean {
  const { isReused, hasHead } = course;
  if (ORDERLY_GOAWAY.test(message)) return isReused || hasHead;
  const isUnread = message.endsWith(REFUSED_STREAM) || CLOSED_CODES.includes(code ?? '');
  return isReused && !hasHead && isUnread;
}

function failureOf(error: Error, course: Course): ExchangeFailure {
  if (error instanceof DialError) {
    return {
      kind: error.cause_ === 'refused' ? 'refused' : 'connect',
      reason: error.message,
      ...(['certificate', 'nearer'].includes(error.cause_) ? { impostor: true } : {}),
      ...(error.cause_ === 'refused' ? { isRefused: true } : {}),
    };
  }
  const { code } = error as NodeJS.ErrnoException;
  const timedOut = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
  const kind = timedOut ? 'timeout' : isOrderlyEnd(error, course) ? 'closed' : 'reset';
  return { kind, reason: error.message };
}

/**
 * Sends a request through a client and follows its answer.
 * @param isReused the connection has carried an earlier request
 */
export function startExchange(
  client: Dispatcher,
  request: HttpRequest,
  listener: ExchangeListener,
  isReused: boolean,
): StartedExchange {
  let controller: Dispatcher.DispatchController | undefined;
  let hasHead = false;
  let over = false;
  let paused = false;
  const finish = (report: () => void): void => {
    if (over) return;
    over = true;
    report();
  };
  client.dispatch(
    {
      origin: request.url.origin,
      path: request.url.pathname + request.url.search,
      method: request.method,
      // undici would send no other one on the connection before the answer begins.
      blocking: false,
      headers: { ...request.headers },
    },
    {
      onRequestStart(started) {
        controller = started;
        if (over) started.abort(new Error('cancelled'));
        else listener.onConnected?.();
        // undici repeats the other requests of an HTTP/2 connection that ended. Half an answer cannot begin again.
        if (hasHead) started.abort(new Error('GOAWAY with code 0'));
      },
      onResponseStart(started, status, headers) {
        // Informational answers (1xx) precede the final one.
        if (over) started.abort(new Error('cancelled'));
        if (over || status < 200) return;
        hasHead = true;
        listener.onHead({ status, headers: readHeaders(headers) });
        if (paused) started.pause();
      },
      onResponseData(_, bytes) {
        if (!over) listener.onData(bytes);
      },
      onResponseEnd() {
        finish(() => listener.onEnd());
      },
      onResponseError(_, error) {
        finish(() => listener.onFailure(failureOf(error, { isReused, hasHead })));
      },
    },
  );
  return {
    cancel() {
      finish(() => controller?.abort(new Error('cancelled')));
    },
    cancelLater() {
      over = true;
    },
    pause() {
      if (paused || over) return;
      paused = true;
      controller?.pause();
    },
    resume() {
      if (!paused || over) return;
      paused = false;
      controller?.resume();
    },
  };
}
