import { afterEach, expect, it } from 'vitest';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { createChunkScheduler, HARMLESS_FAILURES } from '../chunks';
import { selfSigned } from './testing/self-signed';
import { content, serveFile, slowly, TwoNetworks, type Route } from './testing/two-networks';

const file = content(600_000);
const own = selfSigned();
let lab: TwoNetworks;

afterEach(() => lab.close());

const good: Route = slowly((request, response) => serveFile(request, response, file));

/** Failures that count against a network. */
let failures: string[];
const scheduler = createChunkScheduler();
const counting: typeof scheduler = {
  ...scheduler,
  decide(state, observation) {
    for (const { outcome, failure = 'reset' } of observation.ended)
      if (outcome === 'failed' && !HARMLESS_FAILURES.includes(failure)) failures.push(failure);
    return scheduler.decide(state, observation);
  },
};

async function fetchObjects(count: number): Promise<void> {
  failures = [];
  for (let i = 0; i < count; i += 1) {
    const { body } = await lab.fetch(`/${i}`);
    expect(body.equals(file)).toBe(true);
  }
}

/** Counts the requests of each HTTP/2 connection. */
function requestCounter() {
  const counts = new WeakMap<object, number>();
  return (response: unknown): { stream: ServerHttp2Stream; count: number } => {
    const { stream } = response as { stream: ServerHttp2Stream };
    const key = stream.session ?? stream;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { stream, count };
  };
}

it('an HTTP/2 server that ends its connections in order after some requests is no failure of a network', async () => {
  const countOf = requestCounter();
  let ends = 0;
  lab = await new TwoNetworks(
    (request, response, network) => {
      const { stream, count } = countOf(response);
      // As nginx with `keepalive_requests 5`: the last request is answered, and then the connection ends.
      if (count === 5) {
        ends += 1;
        stream.session?.goaway(0);
      }
      good(request, response, network);
    },
    { tls: own, extraCa: own.cert, host: 'localhost', scheduler: counting },
  ).start();
  await fetchObjects(12);
  expect(failures).toEqual([]);
  expect(ends).toBeGreaterThan(0);
}, 60_000);

it('an HTTP/2 server that refuses a stream unread, as behind its GOAWAY, is no failure of a network', async () => {
  const countOf = requestCounter();
  let refused = 0;
  lab = await new TwoNetworks(
    (request, response, network) => {
      const { stream, count } = countOf(response);
      if (count % 3 === 0) {
        refused += 1;
        stream.close(constants.NGHTTP2_REFUSED_STREAM);
      } else good(request, response, network);
    },
    { tls: own, extraCa: own.cert, host: 'localhost', scheduler: counting },
  ).start();
  await fetchObjects(8);
  expect(failures).toEqual([]);
  expect(refused).toBeGreaterThan(1);
}, 60_000);

it('an HTTP/1.1 server that closes an idle connection as a request comes is no failure of a network', async () => {
  const answered = new WeakSet();
  let ends = 0;
  lab = await new TwoNetworks(
    (request, response, network) => {
      // The connection has answered before, and its time limit ends now.
      if (answered.has(request.socket) && network === 'b') {
        ends += 1;
        request.socket.destroy();
        return;
      }
      answered.add(request.socket);
      good(request, response, network);
    },
    { scheduler: counting },
  ).start();
  await fetchObjects(8);
  expect(failures).toEqual([]);
  expect(ends).toBeGreaterThan(0);
}, 60_000);

it('a server that refuses connections is no failure of a network', async () => {
  lab = await new TwoNetworks(good, { scheduler: counting }).start();
  await fetchObjects(1);
  // Nothing listens at the discard port of a loopback address.
  expect((await lab.fetch('http://127.0.0.7:9/x')).failure?.status).toBe(502);
  expect(failures).toEqual([]);
});

it('an HTTP/1.1 server that closes after each answer (`keepalive_timeout 0`) leaves every network healthy', async () => {
  const sockets = new Set<object>();
  lab = await new TwoNetworks(
    (request, response, network) => {
      sockets.add(request.socket);
      response.setHeader('Connection', 'close');
      good(request, response, network);
    },
    { scheduler: counting },
  ).start();
  await fetchObjects(8);
  expect(failures).toEqual([]);
  // No connection answers twice.
  expect(sockets.size).toBe(lab.seen.length);
  expect(lab.driver.beliefs.map(({ health }) => health)).toEqual(['healthy', 'healthy']);
}, 60_000);

it('an HTTP/1.1 server that closes idle connections leaves every network healthy', async () => {
  const idle = new Map<Socket, NodeJS.Timeout>();
  let ends = 0;
  lab = await new TwoNetworks(
    (request, response, network) => {
      const { socket } = request;
      clearTimeout(idle.get(socket));
      response.once('finish', () => {
        const close = (): void => {
          ends += 1;
          socket.end();
        };
        idle.set(socket, setTimeout(close, 100));
      });
      good(request, response, network);
    },
    { scheduler: counting },
  ).start();
  for (let i = 0; i < 4; i += 1) {
    await fetchObjects(1);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  expect(failures).toEqual([]);
  expect(ends).toBeGreaterThan(0);
  expect(lab.driver.beliefs.map(({ health }) => health)).toEqual(['healthy', 'healthy']);
}, 60_000);
