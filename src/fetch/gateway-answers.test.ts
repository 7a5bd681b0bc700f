import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GATEWAY_EARLY_HEADER, gatewayTarget, type GatewayRequest } from '../ipc';
import { loadNative, monotonicClock } from '../kernel';
import { startGateway, type GatewayServer } from './gateway-server';
import { NetworkFetcher } from './network-fetcher';
import { content, serveFile } from './testing/two-networks';

const file = content(300_000);
/** The gateway's requests to the server. */
let seen: IncomingMessage[];
let route: RequestListener;
let server: Server;
let fetcher: NetworkFetcher;
let gateway: GatewayServer;
let media: string;

beforeEach(async () => {
  seen = [];
  route = (request, response) => serveFile(request, response, file);
  server = createServer((request, response) => {
    seen.push(request);
    route(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  media = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fetcher = new NetworkFetcher({
    addon: { ...loadNative(), limitReceiveWindow: () => undefined },
    clock: monotonicClock,
    networks: [{ id: 'lo', interfaceIndex: 1, addresses: ['127.0.0.1'] }],
  });
  gateway = await startGateway({ fetcher, pageOrigins: new Set() });
  gateway.allow([media]);
});
afterEach(async () => {
  await gateway.close();
  fetcher.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  isWhole: boolean;
}

const target = (request: Partial<GatewayRequest> = {}): string =>
  gatewayTarget(gateway.url, { url: `${media}/x`, joinableInMs: 0, ...request });

function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.once('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          isWhole: response.complete,
        }),
      );
    });
    request.once('error', reject);
    request.end();
  });
}

describe('a server’s header', () => {
  const answering =
    (lines: string[]): RequestListener =>
    ({ socket }) => {
      const head = ['HTTP/1.1 200 OK', 'Content-Length: 2', 'Connection: close', ...lines];
      socket.end(Buffer.from(`${head.join('\r\n')}\r\n\r\nok`, 'utf8'));
    };

  it.each([
    ['in a script other than Latin', ['X-Title: 映画', 'Content-Type: video/mp4']],
    ['that repeats', ['X-A: 1', 'X-A: 2', 'Content-Type: video/mp4']],
    ['that announces trailers', ['Trailer: X-Sum', 'Content-Type: video/mp4']],
    ['that upgrades', ['Upgrade: h2c', 'Content-Type: video/mp4']],
    ['without a value', ['X-Empty:', 'Content-Type: video/mp4']],
  ])('%s leaves the answer intact', async (_, lines) => {
    route = answering(lines);
    const { status, body, headers } = await ask(target({ joinableInMs: undefined }));
    expect([status, body.toString()]).toEqual([200, 'ok']);
    expect(headers['content-type']).toBe('video/mp4');
  });

  it('that changes the browser’s data of 127.0.0.1 is removed', async () => {
    const lines = [
      'Clear-Site-Data: "*"',
      'Set-Cookie: a=b',
      'NEL: {}',
      'Refresh: 0;url=http://x/',
    ];
    route = answering(lines);
    const { headers } = await ask(target({ joinableInMs: undefined }));
    for (const name of ['clear-site-data', 'set-cookie', 'nel', 'refresh']) {
      expect(headers[name]).toBeUndefined();
    }
  });

  it('that is malformed gets 502', async () => {
    route = answering(['X-Bad: a\rb: c']);
    const { status } = await ask(target({ joinableInMs: undefined }));
    expect(status).toBe(502);
  });
});

describe('a conditional request', () => {
  it('gets the server’s 304', async () => {
    route = (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else serveFile(request, response, file);
    };
    const { status, body } = await ask(target(), { 'If-None-Match': '"v1"' });
    expect([status, body.length]).toEqual([304, 0]);
  });

  it.each([
    ['"v1"', 206, 100],
    ['"v0"', 200, file.length],
    ['Mon, 01 Jan 2024 00:00:00 GMT', 200, file.length],
  ])('with If-Range %s gets %i', async (ifRange, status, length) => {
    const answer = await ask(target(), { Range: 'bytes=100-199', 'If-Range': ifRange });
    expect([answer.status, answer.body.length]).toEqual([status, length]);
    expect(answer.isWhole).toBe(true);
    // That answer is no sign that the server lacks ranges.
    await ask(target());
    expect(seen.at(-1)?.headers.range).toBeDefined();
  });

  it('with If-Range gets another version whole, also of a server that ignores the condition', async () => {
    route = (request, response) => {
      delete request.headers['if-range'];
      serveFile(request, response, file);
    };
    const headers = { Range: 'bytes=100-299999', 'If-Range': '"v0"' };
    const { status, body } = await ask(target(), headers);
    expect([status, body.equals(file)]).toEqual([200, true]);
  });
});

describe('HEAD', () => {
  it.each([{}, { Range: 'bytes=0-9' }])('gets the head only: %j', async (headers) => {
    const { status, headers: got, body } = await ask(target(), headers, 'HEAD');
    expect(status).toBe('Range' in headers ? 206 : 200);
    expect(got['content-length']).toBe('Range' in headers ? '10' : String(file.length));
    expect(body).toHaveLength(0);
    await expect.poll(() => fetcher.busy).toBe(false);
  });

  it('of an absent object gets its status', async () => {
    route = (_, response) => void response.writeHead(404).end();
    expect((await ask(target(), {}, 'HEAD')).status).toBe(404);
  });
});

it('refuses Expect, and requests that smuggle a second one', async () => {
  const { hostname, port, pathname, search } = new URL(target());
  const send = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let got = '';
      socket.on('data', (bytes) => (got += String(bytes)));
      socket.once('close', () => resolve(got));
      socket.on('error', () => undefined);
      socket.write(text);
    });
  const line = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n`;
  expect(await send(`${line}Expect: 100-continue\r\n\r\n`)).toMatch(/HTTP\/1.1 200/);
  expect(await send(`${line}X: a\r\n b\r\n\r\n`)).not.toMatch(/500/);
  expect(
    await send(`${line}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  ).not.toMatch(/HTTP\/1.1 200/);
  expect(seen.every(({ headers }) => headers.expect === undefined)).toBe(true);
});

it('two tabs that request the same segment at once each get all of it', async () => {
  const url = target({ stream: 'video', expectedBytes: file.length });
  await ask(url, {}, 'POST');
  const both = await Promise.all([ask(url), ask(url)]);
  expect(both.every(({ status, body }) => status === 200 && body.equals(file))).toBe(true);
});

describe('the count of bytes that arrived before the page’s request', () => {
  it('is in a header of the answer for an announced object', async () => {
    const earlyBytes = 100_000;
    let finish = (): void => undefined;
    route = (_, response) => {
      response.writeHead(200, { 'Content-Length': file.length, ETag: '"v1"' });
      response.write(file.subarray(0, earlyBytes));
      finish = () => void response.end(file.subarray(earlyBytes));
    };
    const url = target({ stream: 'video', expectedBytes: file.length });
    await ask(url, {}, 'POST');
    await expect.poll(() => fetcher.report().networks[0]?.receivedBytes).toBe(earlyBytes);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(url, { agent: false }, resolve).once('error', reject).end();
    });
    expect(response.headers[GATEWAY_EARLY_HEADER]).toBe(String(earlyBytes));
    finish();
    expect(Buffer.concat(await response.toArray()).equals(file)).toBe(true);
  });

  it('is 0 for an object that was not announced', async () => {
    const { headers, body } = await ask(target({ stream: 'video' }));
    expect(headers[GATEWAY_EARLY_HEADER]).toBe('0');
    expect(body.equals(file)).toBe(true);
  });
});

describe('a page that closes its connection', () => {
  /** The client closes the connection after this many bytes. */
  const leaveAfter = (bytes: number): Promise<void> =>
    new Promise((resolve) => {
      const request = httpRequest(target(), { agent: false }, (response) => {
        let got = 0;
        if (bytes === 0) request.destroy();
        response.on('data', (chunk: Buffer) => {
          got += chunk.length;
          if (got >= bytes) request.destroy();
        });
        response.on('error', () => undefined);
      });
      request.on('error', () => undefined);
      request.once('close', resolve);
      request.end();
      if (bytes < 0)
        request.once('socket', (socket) => socket.once('connect', () => request.destroy()));
    });

  it.each([
    ['before the request is read', -1],
    ['with the head', 0],
    ['in the body', 1000],
    ['with the last byte', file.length],
  ])('%s: its requests to the server end', async (_, bytes) => {
    await leaveAfter(bytes);
    await expect.poll(() => fetcher.busy).toBe(false);
    expect((await ask(target())).body.equals(file)).toBe(true);
  });

  it('before the server answers: its requests to the server end', async () => {
    let closed = 0;
    route = (request) => void request.socket.once('close', () => (closed += 1));
    const request = httpRequest(target(), { agent: false }).end();
    request.on('error', () => undefined);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    request.destroy();
    await expect.poll(() => closed).toBeGreaterThan(0);
    expect(fetcher.busy).toBe(false);
  });

  it('while 60 of its requests wait: they leave the queue', async () => {
    route = () => undefined;
    const requests = Array.from({ length: 60 }, () => {
      const request = httpRequest(target(), { agent: false }).end();
      request.on('error', () => undefined);
      return request;
    });
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    route = (request, response) => serveFile(request, response, file);
    for (const request of requests) request.destroy();
    await expect.poll(() => fetcher.busy).toBe(false);
    expect((await ask(target())).body.equals(file)).toBe(true);
  });

  it('after announcing the next segment: later requests are answered', async () => {
    await ask(target({ stream: 'video', expectedBytes: file.length }), {}, 'POST');
    await leaveAfter(1000);
    expect((await ask(target())).body.equals(file)).toBe(true);
  });
});
