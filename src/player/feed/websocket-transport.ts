import { MAX_TIMER_MS } from '../../core';
import { AGENT_TOKEN_KEY, limits } from '../../ipc';
import { FeedClient } from './feed-client';

/** The used part of a WebSocket; the browser's and the `ws` package's both fit. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string): void;
  close(): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
}

export interface WebSocketTransportOptions {
  /** `ws://127.0.0.1:<port>/feed` as printed by the agent. */
  url: string;
  /** The agent's token. */
  token: string;
  /** Time limit for the agent's hello; default 15 s. */
  timeoutMs?: number;
  onProblem?: (problem: string) => void;
  /** Creates the socket; default the browser's `WebSocket`. */
  connect?: (url: string) => WebSocketLike;
  localNowMs?: () => number;
}

/** WebSocket.OPEN, which a test double lacks. */
const OPEN = 1;
/**
 * Time for the first message of the feed. An agent that does not run refuses at once. One that runs on a busy machine, and
 * closes the log of the page before, was seen to take more than 5 s.
 */
const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * A Transport fed by the loopback agent. It never reconnects, because a restarted agent has lost its history
 * and its token. The end is reported once, and the player continues without a feed.
 * @throws TypeError when `url` is not a ws: or wss: URL
 */
export function createWebSocketTransport(options: WebSocketTransportOptions): FeedClient {
  const url = new URL(options.url);
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new TypeError(`feed URL must start with ws:// or wss://, not '${url.protocol}'`);
  }
  url.searchParams.set(AGENT_TOKEN_KEY, options.token);
  const socket: WebSocketLike = options.connect?.(url.href) ?? new WebSocket(url.href);
  const where = `the agent at ${url.host}`;

  const client = new FeedClient({
    name: where,
    send: (message) => {
      if (socket.readyState === OPEN) socket.send(JSON.stringify(message));
    },
    disconnect: () => {
      clearTimeout(timer);
      socket.close();
    },
    pendingBytes: () => (socket.readyState === OPEN ? socket.bufferedAmount : 0),
    onProblem: options.onProblem,
    ...(options.localNowMs ? { localNowMs: options.localNowMs } : {}),
  });
  const timer = setTimeout(
    () => {
      if (!client.welcomed)
        client.ended(`${where} did not answer; start it again and reload the page.`);
    },
    Math.min(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMER_MS),
  );

  socket.addEventListener('message', (event) => {
    const text = event.data;
    if (typeof text !== 'string' || text.length > limits.messageBytes) {
      client.refuse('not a text message within the size limit');
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      client.refuse('not JSON');
      return;
    }
    client.receive(message);
  });
  // `close` always follows an error and carries the same information.
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', (event) => {
    client.ended(
      client.welcomed
        ? `The connection to ${where} was lost (code ${event.code}); playing without path data.`
        : `${where} refused the connection (code ${event.code}): check that it runs and that URL and token are the ones it printed.`,
    );
  });
  return client;
}
