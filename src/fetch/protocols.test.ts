import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { monotonicClock } from '../kernel';
import type { Network } from './network';
import { selfSigned } from './testing/self-signed';
import {
  content,
  faultlessMs,
  serveFile,
  slowly,
  TwoNetworks,
  type Route,
  type TwoNetworksOptions,
} from './testing/two-networks';

const SOON = { timeout: 20_000 };

const file = content(1_500_000);
const END_BYTES = 3000;
const own = selfSigned();
const overTls: TwoNetworksOptions = { tls: own, extraCa: own.cert, host: 'localhost' };
let lab: TwoNetworks;
const closing: (() => unknown)[] = [];

async function serving(route: Route, options: TwoNetworksOptions = {}): Promise<TwoNetworks> {
  lab = await new TwoNetworks(route, options).start();
  return lab;
}
afterEach(async () => {
  await lab.close();
  for (const close of closing.splice(0)) await close();
});

const good: Route = slowly((request, response) => serveFile(request, response, file));

/** The reason of an exclusion that was set after `sinceMs`, also of one that has ended. */
const reasonOf = (network: string, sinceMs = monotonicClock.nowMs()): string | undefined =>
  lab.book.exclusions(['a', 'b'], sinceMs).find(({ networkId }) => networkId === network)?.reason;

/** Sends the last bytes of each answer in small pieces, each a packet of its own. */
const slowEnd: Route = (request, response) => {
  const end = response.end.bind(response);
  const endSlowly = (body: Buffer): void => {
    response.write(body.subarray(0, -END_BYTES));
    const rest = [...body.subarray(-END_BYTES)];
    const timer = setInterval(() => {
      response.write(Buffer.from(rest.splice(0, 100)));
      if (rest.length > 0) return;
      clearInterval(timer);
      end();
    }, 5);
  };
  response.end = endSlowly as never;
  serveFile(request, response, file);
};

describe('over HTTP/1.1', () => {
  it.each([
    ['', {}],
    [' and TLS', { ...overTls, http1: true }],
  ])('reads many packets at once%s, but not at the end of an answer', async (_, options) => {
    await serving(good, options);
    for (const path of ['/1', '/2']) await lab.fetch(path);
    lab.route = slowEnd;
    expect((await lab.fetch('/3')).body.equals(file)).toBe(true);
    expect(Math.max(...lab.lowWaterMarks)).toBeGreaterThan(1);
    expect(lab.sessionCount).toBe(0);
  });
});

describe('over HTTP/2', () => {
  it('joins ranges of both networks, many on each connection', async () => {
    await serving(good, overTls);
    for (const path of ['/1', '/2', '/3']) {
      expect((await lab.fetch(path)).body.equals(file)).toBe(true);
    }
    expect(lab.bytesOver('a')).toBeGreaterThan(0);
    expect(lab.bytesOver('b')).toBeGreaterThan(0);
    // A connection is opened for each first request; later ones share one a network.
    expect(lab.sessionCount).toBeLessThanOrEqual(4);
    expect(lab.seen.length).toBeGreaterThan(2 * lab.sessionCount);
  });

  it('lets a server send whole chunks ahead, so that flow control does not limit a long path', async () => {
    const windows: [number, number][] = [];
    await serving((request, response, network) => {
      const { session } = (response as unknown as { stream: ServerHttp2Stream }).stream;
      const { remoteWindowSize = 0 } = session?.state ?? {};
      windows.push([session?.remoteSettings.initialWindowSize ?? 0, remoteWindowSize]);
      good(request, response, network);
    }, overTls);
    await lab.fetch('/x');
    // 50 Mbit/s at 200 ms take 1.25 MB.
    for (const [stream, connection] of windows) {
      expect(stream).toBeGreaterThan(2_500_000);
      expect(connection).toBeGreaterThan(2_500_000);
    }
  });

  it('resets the stream of a request that is cancelled, and keeps the connection', async () => {
    const reset: boolean[] = [];
    await serving((request, response, network) => {
      if (request.url !== '/endless') {
        good(request, response, network);
        return;
      }
      response.writeHead(200).write('x');
      const { stream } = response as unknown as { stream: { aborted: boolean } };
      response.once('close', () => reset.push(stream.aborted));
    }, overTls);
    await lab.fetch('/x');
    const before = lab.sessionCount;
    const handle = lab.driver.fetch(
      { url: new URL('/endless', lab.url), headers: {}, joinable: false },
      {
        onHead: () => undefined,
        onData: () => true,
        onEnd: () => undefined,
        onFailure: () => undefined,
      },
    );
    await vi.waitFor(() => expect(lab.seen.at(-1)?.url).toBe('/endless'), SOON);
    handle.cancel();
    await vi.waitFor(() => expect(reset).toEqual([true]), SOON);
    expect((await lab.fetch('/y')).body.equals(file)).toBe(true);
    expect(lab.sessionCount).toBe(before);
  });

  it('a network that fell silent is tried again over a new connection', async () => {
    const silent = new WeakSet<Http2Session>();
    const fromA = new Set<Http2Session>();
    await serving((request, response, network) => {
      const { session } = (response as unknown as { stream: ServerHttp2Stream }).stream;
      if (session === undefined || silent.has(session)) return;
      if (network === 'a') fromA.add(session);
      good(request, response, network);
    }, overTls);
    for (const path of ['/1', '/2', '/3']) await lab.fetch(path);
    const before = fromA.size;
    for (const session of fromA) silent.add(session);
    await vi.waitFor(async () => {
      expect((await lab.fetch('/4')).body.equals(file)).toBe(true);
      expect(fromA.size).toBeGreaterThan(before);
    }, SOON);
  }, 60_000);
});

describe('keeps a network out, with the reason', () => {
  it('whose server has a wrong certificate', async () => {
    await serving(good, {
      ...overTls,
      resolve: (_host, { id }) => Promise.resolve([id === 'a' ? '127.0.0.1' : '127.0.0.9']),
    });
    const impostor = createTlsServer(selfSigned(), (socket) => socket.on('error', () => undefined));
    impostor.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) =>
      impostor.listen(Number(new URL(lab.url).port), '127.0.0.9', resolve),
    );
    closing.push(() => impostor.close());
    const { body, failure } = await lab.fetch('/x');
    expect(failure).toBeUndefined();
    expect(body.equals(file)).toBe(true);
    expect(lab.bytesOver('b')).toBe(0);
    expect(reasonOf('b')).toMatch(/TLS with localhost over b: .*certificate/);
  });

  it('whose DNS fails', async () => {
    await serving(good, {
      host: 'media.test',
      resolve: (_, { id }) =>
        id === 'a' ? Promise.resolve(['127.0.0.1']) : Promise.reject(new Error('SERVFAIL')),
    });
    const begunMs = monotonicClock.nowMs();
    expect((await lab.fetch('/x')).body.equals(file)).toBe(true);
    expect(lab.bytesOver('b')).toBe(0);
    expect(reasonOf('b', begunMs)).toMatch(/media\.test does not resolve over b: SERVFAIL/);
  });

  it('whose server refuses connections; the object fails soon where all do', async () => {
    await serving(good);
    expect((await lab.fetch('/x')).body.equals(file)).toBe(true);
    const limitMs = 10_000 + (await faultlessMs());
    const begunMs = performance.now();
    // Nothing listens at the discard port of a loopback address.
    const { failure } = await lab.fetch('http://127.0.0.7:9/x');
    expect(failure?.status).toBe(502);
    expect(failure?.reason).toMatch(/a: .*ECONNREFUSED.*b: .*ECONNREFUSED/);
    expect(performance.now() - begunMs).toBeLessThan(limitMs);
  });

  it('whose server refused connections, but not once it accepts them: its first answer may be slow', async () => {
    await serving((_, response) => void response.writeHead(404).end());
    const port = Number(new URL(lab.url).port);
    const away = `http://127.0.0.7:${port}/x`;
    // The lab's server listens at 127.0.0.1 only.
    expect((await lab.fetch(away)).failure?.reason).toMatch(/ECONNREFUSED/);
    let answers = 0;
    const slow = createHttpServer((request, response) => {
      answers += 1;
      setTimeout(() => serveFile(request, response, file), answers <= 2 ? 1500 : 40);
    });
    await new Promise<void>((resolve) => slow.listen(port, '127.0.0.7', resolve));
    closing.push(() => slow.close());
    expect((await lab.fetch(away)).failure).toBeUndefined();
  });

  it('until no network is left: the answer has the reason', async () => {
    await serving(good, { tls: own, host: 'localhost' });
    const limitMs = 10_000 + (await faultlessMs());
    const begunMs = performance.now();
    const { failure } = await lab.fetch('/x');
    expect(failure?.reason).toMatch(/certificate/);
    // A player need not wait for what time does not change.
    expect(performance.now() - begunMs).toBeLessThan(limitMs);
  });
});

const hasIpv6 = Object.values(os.networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

it.skipIf(!hasIpv6)('joins a network with IPv6 only and one with IPv4 only', async () => {
  const networks: Network[] = [
    { id: 'a', interfaceIndex: 1, addresses: ['127.0.0.2'] },
    { id: 'b', interfaceIndex: 1, addresses: ['::1'] },
  ];
  await serving(good, {
    host: 'media.test',
    networks,
    resolve: () => Promise.resolve(['::1', '127.0.0.1']),
    listen: '::',
  });
  expect((await lab.fetch('/x')).body.equals(file)).toBe(true);
  expect(lab.bytesOver('a')).toBeGreaterThan(0);
  expect(lab.bytesOver('b')).toBeGreaterThan(0);
});

describe('credentials', () => {
  it('go to the page’s origin with every range, and not where it redirects', async () => {
    await serving((request, response, network) => {
      const { port } = new URL(lab.url);
      if (request.url === '/x') {
        response.writeHead(302, { Location: `http://localhost:${port}/y` }).end();
      } else good(request, response, network);
    });
    const headers = { authorization: 'Bearer secret' };
    expect((await lab.fetch('/z', { headers })).body.equals(file)).toBe(true);
    expect(lab.seen.every((one) => one.headers.authorization === 'Bearer secret')).toBe(true);
    expect((await lab.fetch('/x', { headers })).body.equals(file)).toBe(true);
    const redirected = lab.seen.filter(({ url }) => url === '/y');
    expect(redirected.length).toBeGreaterThan(0);
    expect(redirected.some((one) => one.headers.authorization !== undefined)).toBe(false);
  });
});

it.each([429, 503])('waits as long as a server asks with %i', async (status) => {
  const begunMs = performance.now();
  await serving((request, response, network) => {
    if (performance.now() - begunMs < 900) {
      response.writeHead(status, { 'Retry-After': '1' }).end();
    } else good(request, response, network);
  });
  expect((await lab.fetch('/x')).body.equals(file)).toBe(true);
  // One request a network before the wait.
  expect(lab.seen.filter(({ headers }) => headers['if-range'] === undefined).length).toBeLessThan(
    8,
  );
});

describe('time', () => {
  it.each([3_600_000, -3_600_000])('may jump by %i ms while a segment is fetched', async (byMs) => {
    let offsetMs = 0;
    const clock = { ...monotonicClock, nowMs: () => monotonicClock.nowMs() + offsetMs };
    await serving(good, { clock });
    const fetched = lab.fetch('/x');
    await vi.waitFor(() => expect(lab.seen.length).toBeGreaterThan(3), SOON);
    offsetMs = byMs;
    const { body, failure } = await fetched;
    expect(failure).toBeUndefined();
    expect(body.equals(file)).toBe(true);
  });

  it('spent suspended costs the connections, not the segment', async () => {
    await serving(good);
    const fetched = lab.fetch('/x');
    await vi.waitFor(() => expect(lab.seen.length).toBeGreaterThan(3), SOON);
    lab.pools.reset('the machine was suspended');
    expect((await fetched).body.equals(file)).toBe(true);
  });
});
