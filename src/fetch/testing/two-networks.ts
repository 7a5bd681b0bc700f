import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createChunkScheduler, type ConfiguredChunkScheduler } from '../../chunks';
import { loadNative, monotonicClock } from '../../kernel';
import type { ResponseHead } from '../exchange';
import type { ObjectRequest } from '../fetch-object';
import type { Clock } from '../../ports';
import type { spaceOfAddress } from '../address-space';
import type { Network } from '../network';
import { NetworkPools } from '../network-pools';
import { OriginBook } from '../origin-book';
import { RangeDriver } from '../range-driver';
import type { Resolve } from '../resolve';

export type NetworkName = 'a' | 'b';

/** Both lie on the loopback interface; the server distinguishes them by the client's address. */
const onLoopback: Network[] = [
  { id: 'a', interfaceIndex: 1, addresses: ['127.0.0.2'] },
  { id: 'b', interfaceIndex: 1, addresses: ['127.0.0.3'] },
];

export type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  network: NetworkName,
) => void;

export interface Fetched {
  head: ResponseHead | undefined;
  body: Buffer;
  failure: { status: number; reason: string } | undefined;
}

/** Bytes that reveal any wrong order. */
export function content(length: number): Buffer {
  const block = (index: number): Buffer => createHash('sha256').update(String(index)).digest();
  return Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, (_, i) => block(i))).subarray(
    0,
    length,
  );
}

/** Answers as a file server does: 206 with a strong validator to a range, 200 otherwise. */
export function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: Buffer,
  etag = '"v1"',
): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const ifRange = request.headers['if-range'];
  if (first === undefined || (ifRange !== undefined && ifRange !== etag)) {
    response.writeHead(200, { 'Content-Length': file.length, ETag: etag }).end(file);
    return;
  }
  const start = Number(first);
  if (start >= file.length) {
    // nginx explains each refusal in a page.
    const headers = { 'Content-Range': `bytes */${file.length}`, 'Content-Type': 'text/html' };
    response.writeHead(416, headers).end('<html>416 Requested Range Not Satisfiable</html>');
    return;
  }
  const end = last === '' ? file.length : Math.min(file.length, Number(last) + 1);
  const range = `bytes ${start}-${end - 1}/${file.length}`;
  response.writeHead(206, { 'Content-Range': range, 'Content-Length': end - start, ETag: etag });
  response.end(file.subarray(start, end));
}

/** Answers later, like a link of some Mbit/s, so that two networks have time to share the work. */
export const slowly =
  (serve: Route, delayMs = 40): Route =>
  (request, response, network) =>
    void setTimeout(() => serve(request, response, network), delayMs);

export interface TwoNetworksOptions {
  /** HTTPS, by HTTP/2 where the client offers it. */
  tls?: { key: string; cert: string };
  /** The server speaks no HTTP/2. */
  http1?: boolean;
  extraCa?: string;
  networks?: Network[];
  resolve?: Resolve;
  spaceOf?: typeof spaceOfAddress;
  clock?: Clock;
  scheduler?: ConfiguredChunkScheduler;
  /** Host of the URL; default 127.0.0.1. */
  host?: string;
  /** Address of the server; default 127.0.0.1. */
  listen?: string;
}

/** A driver with two networks and a server at their end. */
export class TwoNetworks {
  readonly pools: NetworkPools;
  readonly book = new OriginBook();
  readonly driver: RangeDriver;
  /** Connections of HTTP/2 so far. */
  sessionCount = 0;
  /** The gathering sizes of connections, in the order in which they were set. */
  readonly lowWaterMarks: number[] = [];
  /** Requests by network. */
  readonly seen: { network: NetworkName; url: string; headers: IncomingMessage['headers'] }[] = [];
  readonly #server: Server | HttpsServer | Http2SecureServer;
  readonly #options: TwoNetworksOptions;
  readonly #networks: Network[];
  readonly #sessions = new Set<ServerHttp2Session>();
  route: Route;
  url = '';

  constructor(route: Route, options: TwoNetworksOptions = {}) {
    this.route = route;
    this.#options = options;
    this.#networks = options.networks ?? onLoopback;
    const { tls, clock = monotonicClock } = options;
    const addon = loadNative();
    this.pools = new NetworkPools({
      addon: {
        ...addon,
        openSocket: (o) => addon.openSocket({ ...o, interfaceName: 'lo' }),
        // One packet of the loopback interface is larger than a window for a real network.
        limitReceiveWindow: () => undefined,
        setReceiveLowWater: (fd, bytes) => {
          this.lowWaterMarks.push(bytes);
          addon.setReceiveLowWater(fd, bytes);
        },
      },
      resolve:
        options.resolve ?? ((host) => Promise.resolve([host === 'localhost' ? '127.0.0.1' : host])),
      extraCa: options.extraCa,
      ...(options.spaceOf ? { spaceOf: options.spaceOf } : {}),
    });
    this.pools.setNetworks(this.#networks);
    this.driver = new RangeDriver({
      scheduler: options.scheduler ?? createChunkScheduler(),
      pools: this.pools,
      book: this.book,
      clock,
    });
    const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
      const network = request.socket.remoteAddress?.endsWith('127.0.0.2') === true ? 'a' : 'b';
      this.seen.push({ network, url: request.url ?? '', headers: request.headers });
      this.route(request, response, network);
    };
    if (!tls) this.#server = createServer(onRequest);
    else if (options.http1 === true) this.#server = createHttpsServer(tls, onRequest);
    // The compatible API of HTTP/2 has all that the routes use.
    else this.#server = createSecureServer({ ...tls, allowHTTP1: true }, onRequest as never);
    this.#server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      this.sessionCount += 1;
    });
  }

  async start(): Promise<this> {
    const { tls, host = '127.0.0.1', listen = '127.0.0.1' } = this.#options;
    await new Promise<void>((resolve) => this.#server.listen(0, listen, resolve));
    this.url = `${tls ? 'https' : 'http'}://${host}:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** Removes one network, so that only the other one is present. */
  lose(lost: NetworkName): void {
    this.pools.setNetworks(this.#networks.filter(({ id }) => id !== lost));
    this.driver.networkLost(lost);
  }

  fetch(path: string, request: Partial<ObjectRequest> = {}): Promise<Fetched> {
    const chunks: Buffer[] = [];
    let head: ResponseHead | undefined;
    return new Promise((resolve) => {
      const finish = (failure: Fetched['failure']): void =>
        resolve({ head, body: Buffer.concat(chunks), failure });
      this.driver.fetch(
        { url: new URL(path, this.url), headers: {}, joinable: true, ...request },
        {
          onHead: (found) => (head = found),
          onData(bytes) {
            chunks.push(bytes);
            return true;
          },
          onEnd: () => finish(undefined),
          onFailure: (status, reason) => finish({ status, reason }),
        },
      );
    });
  }

  bytesOver(network: NetworkName): number {
    return this.driver.tally.of(network).receivedBytes;
  }

  async close(): Promise<void> {
    this.driver.close();
    this.pools.close();
    for (const session of this.#sessions) session.destroy();
    if ('closeAllConnections' in this.#server) this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/**
 * Time in which this machine fetches an object of 600 kB without a fault, in ms. A limit that a test sets on a time adds
 * it, so that the limit speaks of deliberate waits and not of how busy the machine is.
 */
export async function faultlessMs(): Promise<number> {
  const file = content(600_000);
  const lab = await new TwoNetworks(
    (request, response) => void setTimeout(() => serveFile(request, response, file), 20),
  ).start();
  const begunMs = performance.now();
  await lab.fetch('/x');
  await lab.close();
  return performance.now() - begunMs;
}
