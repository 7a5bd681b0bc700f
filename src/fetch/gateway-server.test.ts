import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayTarget } from '../ipc';
import { loadNative, monotonicClock } from '../kernel';
import { startGateway, type GatewayServer } from './gateway-server';
import { NetworkFetcher } from './network-fetcher';
import { content, serveFile } from './testing/two-networks';

const PAGE = 'http://127.0.0.1:1';
const file = content(300_000);
let fetcher: NetworkFetcher;
let gateway: GatewayServer;
let server: Server;
let media: string;
let asked = 0;
let aborted = 0;
/** Headers of the requests that came to the server. */
let heads: IncomingHttpHeaders[] = [];

beforeEach(async () => {
  asked = 0;
  aborted = 0;
  heads = [];
  server = createServer((request, response) => {
    asked += 1;
    response.once('close', () => (aborted += response.writableEnded ? 0 : 1));
    heads.push(request.headers);
    if (request.url === '/endless') response.write('x');
    else if (request.url === '/elsewhere') {
      const { port } = server.address() as AddressInfo;
      response.writeHead(302, { Location: `http://localhost:${port}/x` }).end();
    } else if (request.url === '/cookie') {
      response.writeHead(200, { 'Set-Cookie': 'id=1', 'Content-Length': 1 }).end('x');
    } else serveFile(request, response, file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  media = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addon = loadNative();
  // A network of the loopback interface's, which counts as none of this machine's.
  fetcher = new NetworkFetcher({
    addon: { ...addon, limitReceiveWindow: () => undefined },
    clock: monotonicClock,
    networks: [{ id: 'lo', interfaceIndex: 1, addresses: ['127.0.0.1'] }],
  });
  gateway = await startGateway({ fetcher, pageOrigins: new Set([PAGE]) });
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
  headers: Record<string, unknown>;
  body: Buffer;
}

function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
      response.once('error', reject);
    });
    request.once('error', reject);
    request.end();
  });
}

const target = (path = '/x', joinable = true): string =>
  gatewayTarget(gateway.url, { url: media + path, ...(joinable ? { joinableInMs: 0 } : {}) });

describe('an allowed page', () => {
  it('gets the media, its headers and its address', async () => {
    const { status, headers, body } = await ask(target(), { Origin: PAGE });
    expect(status).toBe(200);
    expect(body.equals(file)).toBe(true);
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'timing-allow-origin': '*',
      'content-length': String(file.length),
      'x-multipath-url': `${media}/x`,
      etag: '"v1"',
    });
  });

  it('gets a range', async () => {
    const { status, headers, body } = await ask(target(), { Range: 'bytes=100-199' });
    expect([status, headers['content-range']]).toEqual([206, `bytes 100-199/${file.length}`]);
    expect(body.equals(file.subarray(100, 200))).toBe(true);
  });

  it('gets an announced object without another request to the server', async () => {
    const announced = gatewayTarget(gateway.url, {
      url: `${media}/next`,
      joinableInMs: 0,
      stream: 'video',
      expectedBytes: file.length,
    });
    expect((await ask(announced, { Origin: PAGE }, 'POST')).status).toBe(204);
    await expect.poll(() => fetcher.report().networks[0]?.receivedBytes).toBe(file.length);
    const before = asked;
    const { status, headers, body } = await ask(announced, { Origin: PAGE });
    expect([status, headers['content-length']]).toEqual([200, String(file.length)]);
    expect(body.equals(file)).toBe(true);
    expect(asked).toBe(before);
    expect(fetcher.report().networks[0]?.unreadBytes).toBe(0);
  });

  it('announced bytes that it never requests are counted as unread', async () => {
    const of = (path: string): string =>
      gatewayTarget(gateway.url, { url: media + path, joinableInMs: 0, stream: 'video' });
    await ask(of('/high'), {}, 'POST');
    await expect.poll(() => fetcher.report().networks[0]?.receivedBytes).toBe(file.length);
    expect((await ask(of('/low'))).body.equals(file)).toBe(true);
    expect(fetcher.report().networks[0]?.unreadBytes).toBe(file.length);
  });

  it('gets a growing segment byte by byte as it is written, over one network', async () => {
    const chunks = [20_000, 1, 60_000, 300].map((bytes) => content(bytes));
    const written: ((chunk: Buffer) => void)[] = [];
    let end = (): void => undefined;
    server.removeAllListeners('request');
    server.on('request', (_, response) => {
      asked += 1;
      written.push((chunk) => void response.write(chunk));
      end = () => void response.end();
    });
    const got: Buffer[] = [];
    const gotBytes = (): number => got.reduce((sum, { length }) => sum + length, 0);
    const ended = new Promise<number | undefined>((resolve) => {
      const request = httpRequest(target('/growing', false), (response) => {
        response.on('data', (bytes: Buffer) => got.push(bytes));
        response.once('end', () => resolve(response.statusCode));
      });
      request.end();
    });
    await expect.poll(() => written.length).toBe(1);
    let writtenBytes = 0;
    for (const chunk of chunks) {
      written[0]?.(chunk);
      writtenBytes += chunk.length;
      // The next one is not written before the page has this one.
      await expect.poll(gotBytes).toBe(writtenBytes);
    }
    // Longer than the silence after which a network counts as faded: it is the encoder's, and nothing is asked again.
    await new Promise((resolve) => setTimeout(resolve, 300));
    end();
    expect(await ended).toBe(200);
    expect(Buffer.concat(got).equals(Buffer.concat(chunks))).toBe(true);
    expect(asked).toBe(1);
  });

  it('that cancels a request ends the one to the server', async () => {
    const request = httpRequest(target('/endless', false)).end();
    request.on('error', () => undefined);
    await expect.poll(() => asked).toBe(1);
    request.destroy();
    await expect.poll(() => aborted).toBe(1);
  });
});

describe('two hundred requests of a page at once', () => {
  it('are all answered in full', async () => {
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, index) => ask(target(`/${index}`), { Origin: PAGE })),
    );
    expect(all.every(({ status, body }) => status === 200 && body.equals(file))).toBe(true);
  });
});

describe('credentials', () => {
  it('of the page’s Authorization header go to the media’s origin with every request', async () => {
    const authorization = 'Bearer secret';
    await ask(target('/x'), { Origin: PAGE, Authorization: authorization });
    expect(heads.length).toBeGreaterThan(0);
    expect(heads.every((one) => one.authorization === authorization)).toBe(true);
  });

  it('do not follow a redirection to another origin', async () => {
    const { body } = await ask(target('/elsewhere'), { Authorization: 'Bearer secret' });
    expect(body.equals(file)).toBe(true);
    const redirected = heads.filter(({ host }) => host?.startsWith('localhost'));
    expect(redirected.length).toBeGreaterThan(0);
    expect(redirected.some((one) => one.authorization !== undefined)).toBe(false);
  });

  it('in cookies never pass the gateway: not those of 127.0.0.1, and not those of the server', async () => {
    const { headers } = await ask(target('/cookie', false), { Origin: PAGE, Cookie: 'page=1' });
    expect(heads.every(({ cookie }) => cookie === undefined)).toBe(true);
    expect(headers['set-cookie']).toBeUndefined();
    // A browser refuses an answer with credentials without this header.
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('any other client', () => {
  it('is refused without the right token, host and origin', async () => {
    const wrong = target().replace(/\/[0-9a-f]{64}\//, `/${'0'.repeat(64)}/`);
    expect((await ask(wrong)).status).toBe(401);
    expect((await ask(target().replace(/\/[0-9a-f]{64}\//, '/'))).status).toBe(401);
    expect((await ask(target(), { Host: 'evil.example' })).status).toBe(403);
    expect((await ask(target(), { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask(target(), { Origin: 'null' })).status).toBe(403);
  });

  it('is refused another origin than the stream’s, and anything but media', async () => {
    const other = gatewayTarget(gateway.url, { url: 'http://127.0.0.1:9/x', joinableInMs: 0 });
    expect((await ask(other)).status).toBe(403);
    for (const url of ['file:///etc/passwd', 'gopher://x', '', 'http://']) {
      expect((await ask(`${gateway.url}?url=${encodeURIComponent(url)}`)).status).toBe(400);
    }
    expect((await ask(`${gateway.url}?url=%`)).status).toBe(400);
    expect((await ask(target(), {}, 'PUT')).status).toBe(405);
    expect((await ask(target(), {}, 'POST')).status).toBe(400);
  });
});
