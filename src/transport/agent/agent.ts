import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { AGENT_FEED_KEY, AGENT_FEED_PATH, AGENT_TOKEN_KEY, limits } from '../../ipc';
import type { LogSink, Transport } from '../../ports';
import type { EndEvent, LogEvent } from '../../qoe';
import type { SharedPathControl } from '../path-control';
import {
  contentSecurityPolicy,
  createToken,
  hostAllowed,
  originAllowed,
  tokenMatches,
} from './guard';
import { runPageSession, type PageSession } from './page-session';
import { serveStatic } from './static-files';

export interface AgentOptions {
  /** Folder of the player page (`dist/page`). */
  pageDir: string;
  /** One transport for each page session; the session closes it. */
  createTransport: () => Transport;
  /** One log for each page session, counted from 1; the session closes it. */
  openLog: (session: number) => LogSink;
  /** Every event that goes to a log, as it happens. */
  onEvent?: (event: LogEvent, session: number) => void;
  /** Lets pages decide about the paths of their streams, one page at a time; it stays the caller's to close. */
  pathControl?: SharedPathControl | undefined;
  /** Origins allowed beside the agent's own, as `scheme://host[:port]`. */
  allowedOrigins?: readonly string[];
  /** 0 (default) takes a free port. */
  port?: number;
  /** Invalid messages after which a page is disconnected; default 10. */
  maxStrikes?: number;
}

export interface Agent {
  /** The player page, with feed and token in the fragment. */
  readonly url: string;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** `ws://127.0.0.1:<port>/feed` */
  readonly feedUrl: string;
  readonly token: string;
  /** The player page with more fragment parameters, such as `mpd`. */
  pageUrl(parameters?: Record<string, string>): string;
  /** Pages connected now. */
  readonly sessions: number;
  /** Ends every session (its log ends with `reason`, default `interrupted`, unless it ended before) and the server. */
  close(reason?: EndEvent['reason']): Promise<void>;
}

/** Pages at a time; more are a mistake or an attack. */
const maxSessions = 8;

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Starts the loopback agent: it serves the player page and feeds it through a WebSocket. Only the page's
 * own origin (and `allowedOrigins`) with the token gets in.
 */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const token = createToken();
  const server = createServer();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });
  const port = await listen(server, options.port ?? 0);
  const origin = `http://127.0.0.1:${port}`;
  const feedUrl = `ws://127.0.0.1:${port}${AGENT_FEED_PATH}`;
  const allowed = new Set([origin, ...(options.allowedOrigins ?? [])]);
  const policy = contentSecurityPolicy(port);
  const running = new Map<WebSocket, PageSession>();
  let sessionCount = 0;

  server.on('request', (request, response) => {
    if (!hostAllowed(request.headers.host, port)) {
      response.writeHead(403).end();
      return;
    }
    serveStatic(options.pageDir, policy, request, response).catch(() => response.destroy());
  });

  /** Why this upgrade is refused; undefined when it is welcome. */
  const objection = (request: IncomingMessage): string | undefined => {
    if (!hostAllowed(request.headers.host, port)) return '403 Forbidden';
    if (!originAllowed(request.headers.origin, allowed)) return '403 Forbidden';
    // Not `new URL`: it throws at targets such as `//`, which anyone on this machine can send.
    const [pathname, query] = (request.url ?? '').split('?', 2);
    if (pathname !== AGENT_FEED_PATH) return '404 Not Found';
    const offered = new URLSearchParams(query).get(AGENT_TOKEN_KEY) ?? undefined;
    if (!tokenMatches(offered, token)) return '401 Unauthorized';
    return running.size >= maxSessions ? '503 Service Unavailable' : undefined;
  };

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const status = objection(request);
    if (status !== undefined) {
      refuseUpgrade(socket, status);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (page) => {
      sessionCount += 1;
      const session = runPageSession(page, options, sessionCount);
      running.set(page, session);
      page.once('close', () => running.delete(page));
    });
  });

  const pageUrl = (parameters: Record<string, string> = {}): string => {
    const own = { [AGENT_FEED_KEY]: feedUrl, [AGENT_TOKEN_KEY]: token };
    return `${origin}/#${new URLSearchParams({ ...parameters, ...own }).toString()}`;
  };

  let closing: Promise<void> | undefined;
  const close = async (reason: EndEvent['reason']): Promise<void> => {
    await Promise.all([...running.values()].map((session) => session.close(reason)));
    for (const page of sockets.clients) page.terminate();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };

  return {
    origin,
    feedUrl,
    token,
    url: pageUrl(),
    pageUrl,
    get sessions() {
      return running.size;
    },
    close(reason = 'interrupted') {
      closing ??= close(reason);
      return closing;
    },
  };
}
