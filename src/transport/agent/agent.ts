import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { errorText } from '../../core';
import { createQuietServer } from '../../fetch';
import { AGENT_FEED_KEY, AGENT_FEED_PATH, AGENT_TOKEN_KEY, limits } from '../../ipc';
import type { LogSink, Transport } from '../../ports';
import type { EndEvent, LogEvent } from '../../session-log';
import type { SharedPathControl } from '../../path-control';
import { AccessDesk, type AccessOptions } from './access';
import { Admission } from './admission';
import { contentSecurityPolicy, hostAllowed } from './guard';
import { PageLogLimit } from '../feed';
import { monotonicClock } from '../../kernel';
import { runPageSession, type PageSession } from './page-session';
import { createPeerCheck } from './peer';
import { serveStatic, START_PATH } from './static-files';

export interface AgentOptions {
  /** Folder of the player page (`dist/page`). */
  pageDir: string;
  /** One transport for each page session; the session closes it. */
  createTransport: () => Transport;
  /** One log for each page session, counted from 1; the session closes it. */
  openLog: (session: number) => LogSink;
  /** Called with every event that goes to a log, when it occurs. */
  onEvent?: (event: LogEvent, session: number) => void;
  /** Lets pages steer the paths of their streams, one page at a time. The caller closes it. */
  pathControl?: SharedPathControl | undefined;
  /** Lets pages of other origins ask for a token, and use it. */
  access?: AccessOptions | undefined;
  /** 0 (default) takes a free port. */
  port?: number;
  /** Logs URLs with the values of their queries, which may be secrets. Default: false. */
  wholeUrls?: boolean | undefined;
  /** Invalid messages after which a page is disconnected; default 10. */
  maxStrikes?: number;
  /** Logs that pages may begin at once, and one in 5 s after that; default 30. */
  maxNewLogs?: number;
  /** Called once a reason, with the reason why a client was refused or not served. */
  onRefused?: (reason: string) => void;
}

export interface Agent {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** `ws://127.0.0.1:<port>/feed` */
  readonly feedUrl: string;
  /** An empty page of the same origin. A window opens it before it receives `pageUrl` in private. */
  readonly startUrl: string;
  /** A new token. It admits one page, once. */
  issueToken(): string;
  /**
   * The player page with feed, a new token and more parameters, such as `mpd`, in the fragment. Every user
   * can read the arguments of a process: pass this URL another way.
   */
  pageUrl(parameters?: Record<string, string>): string;
  /** Pages connected now. */
  readonly sessions: number;
  /**
   * Ends every session and the server. A log that has no end yet ends with `reason`, by default
   * `interrupted`.
   */
  close(reason?: EndEvent['reason']): Promise<void>;
}

/** Simultaneous pages. More are a mistake or an attack. */
const MAX_SESSIONS = 8;
/** Simultaneous connections. Each page takes one, and a browser opens six a host while it loads. */
const MAX_CONNECTIONS = 64;

/** The HTTP server no longer closes an upgraded connection itself, and nothing here reads it. */
function refuseUpgrade(socket: Duplex, status: string): void {
  const answer = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  socket.end(answer, () => socket.destroy());
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
 * Starts the loopback agent: it serves the player page and feeds it through a WebSocket. It admits only the
 * page's own origin, and those of `access`, with an unused token, over a connection of this process's user.
 */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const server = createQuietServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      refuse(errorText(error));
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    // The session sends the pongs: it checks that the page reads them.
    autoPong: false,
  });
  const port = await listen(server, options.port ?? 0);
  const origin = `http://127.0.0.1:${port}`;
  const feedUrl = `ws://127.0.0.1:${port}${AGENT_FEED_PATH}`;
  const { access } = options;
  const running = new Map<WebSocket, PageSession>();
  let sessionCount = 0;
  const logLimit = new PageLogLimit(monotonicClock.nowMs(), options.maxNewLogs);
  const admission = new Admission({
    port,
    origins: new Set([origin, ...(access?.origins ?? [])]),
    isFull: () => running.size >= MAX_SESSIONS,
    mayBegin: () => logLimit.mayBegin(monotonicClock.nowMs()),
  });
  const desk = access && new AccessDesk(access, () => ({ feedUrl, token: admission.issueToken() }));
  const policy = contentSecurityPolicy(port);
  const refused = new Set<string>();
  const refuse = (reason: string): void => {
    if (refused.has(reason)) return;
    refused.add(reason);
    options.onRefused?.(reason);
  };

  const isOwn = createPeerCheck('the agent', refuse);
  server.on('connection', (socket) => void isOwn(socket));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!(await isOwn(request.socket))) return;
    if (!hostAllowed(request.headers.host, port)) response.writeHead(403).end();
    else if (!(await desk?.serve(request, response))) {
      await serveStatic(options.pageDir, policy, request, response);
    }
  };
  sockets.on('headers', (headers) => {
    headers.push(admission.returnHeader());
  });

  let closing: Promise<void> | undefined;
  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (!(await isOwn(request.socket))) return;
    if (closing !== undefined) {
      // The HTTP server waits for this connection and no longer closes it itself.
      socket.destroy();
      return;
    }
    const admitted = admission.judge(request);
    if ('status' in admitted) {
      refuseUpgrade(socket, admitted.status);
      return;
    }
    // A page that is reloaded while it connects has sent nothing, and may not have received its cookie.
    socket.once('close', admitted.giveBack);
    sockets.handleUpgrade(request, socket, head, (page) => {
      sessionCount += 1;
      const session = runPageSession(page, options, sessionCount, logLimit);
      running.set(page, session);
      page.once('close', () => running.delete(page));
      page.once('message', () => socket.off('close', admitted.giveBack));
    });
  };
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    admit(request, socket, head).catch((error: unknown) => {
      refuse(`a page was refused: ${errorText(error)}`);
      socket.destroy();
    });
  });

  const pageUrl = (parameters: Record<string, string> = {}): string => {
    const own = { [AGENT_FEED_KEY]: feedUrl, [AGENT_TOKEN_KEY]: admission.issueToken() };
    return `${origin}/#${new URLSearchParams({ ...parameters, ...own }).toString()}`;
  };

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
    startUrl: `${origin}${START_PATH}`,
    issueToken: () => admission.issueToken(),
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
