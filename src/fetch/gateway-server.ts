import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Gateway, type GatewayOptions } from './gateway';
import { createQuietServer } from './quiet-server';

export interface GatewayServer {
  /**
   * `http://127.0.0.1:<port>/<token>/`. The token gives access, so this address must not enter a log or a command
   * line.
   */
  readonly url: string;
  /** Origins of the page's stream; no other one is fetched. */
  allow(origins: readonly string[]): void;
  close(): Promise<void>;
}

/** Simultaneous requests of a page; a browser opens six connections a host. */
const MAX_CONNECTIONS = 256;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface GatewayServerOptions extends GatewayOptions {
  /** True if the process at the other end may send requests; it closes the connection otherwise. Default: all may. */
  admits?: ((socket: Socket) => Promise<boolean>) | undefined;
}

/** Starts the loopback gateway: 127.0.0.1 only, a random port, a 256-bit token, `Host` and `Origin` checked. */
export async function startGateway(options: GatewayServerOptions): Promise<GatewayServer> {
  const token = randomBytes(32).toString('hex');
  const expected = digest(token);
  const gateway = new Gateway(options);
  const server = createQuietServer((request, response) => {
    response.on('error', () => undefined);
    answer(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  /** The reason to refuse this request; undefined to accept it. */
  const objection = ({ headers, url }: IncomingMessage): number | undefined => {
    // A host name that resolves to loopback by DNS rebinding still appears in the Host header.
    if (headers.host !== `127.0.0.1:${port}`) return 403;
    const { origin } = headers;
    if (origin !== undefined && !options.pageOrigins.has(origin)) return 403;
    const [, offered = '', rest] = (url ?? '').split('?', 1)[0]?.split('/') ?? [];
    const knows = timingSafeEqual(digest(offered), expected);
    return knows && rest === '' ? undefined : 401;
  };

  const { admits = () => Promise.resolve(true) } = options;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!(await admits(request.socket))) return;
    const status = objection(request);
    if (status === undefined) await gateway.handle(request, response);
    else response.writeHead(status).end();
  };
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void admits(socket);
  });

  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    allow: (origins) => gateway.allow(origins),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // closeAllConnections() is missing in Node 16, which old Electron releases contain.
        for (const socket of sockets) socket.destroy();
      }),
  };
}
