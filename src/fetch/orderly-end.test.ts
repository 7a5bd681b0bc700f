import { afterEach, expect, it } from 'vitest';
import type { ServerHttp2Stream } from 'node:http2';
import { selfSigned } from './testing/self-signed';
import { content, serveFile, TwoNetworks, type Route } from './testing/two-networks';

const file = content(600_000);
const own = selfSigned();
let lab: TwoNetworks;

afterEach(() => lab.close());

const good: Route = (request, response) =>
  void setTimeout(() => serveFile(request, response, file), 40);

const isFaded = (): boolean => lab.driver.beliefs.some(({ health }) => health === 'faded');

/** Fetches objects; true if a network faded between. */
async function fadesWithin(objects: number): Promise<boolean> {
  let fades = false;
  for (let i = 0; i < objects; i += 1) {
    const { body } = await lab.fetch(`/${i}`);
    expect(body.equals(file)).toBe(true);
    fades ||= isFaded();
  }
  return fades;
}

it('an HTTP/2 server that ends its connections in order after some requests fades no network', async () => {
  const requests = new WeakMap<object, number>();
  let ends = 0;
  lab = await new TwoNetworks(
    (request, response, network) => {
      const { session } = (response as unknown as { stream: ServerHttp2Stream }).stream;
      if (session) {
        const count = (requests.get(session) ?? 0) + 1;
        requests.set(session, count);
        // As nginx with `keepalive_requests 5`: the last request is answered, and then the connection ends.
        if (count === 5) {
          ends += 1;
          session.goaway(0);
        }
      }
      good(request, response, network);
    },
    { tls: own, extraCa: own.cert, host: 'localhost' },
  ).start();
  expect(await fadesWithin(12)).toBe(false);
  expect(ends).toBeGreaterThan(0);
}, 60_000);

it('an HTTP/1.1 server that closes an idle connection as a request comes fades no network', async () => {
  const answered = new WeakSet();
  let ends = 0;
  lab = await new TwoNetworks((request, response, network) => {
    // The connection has answered before, and its time limit ends now.
    if (answered.has(request.socket) && network === 'b') {
      ends += 1;
      request.socket.destroy();
      return;
    }
    answered.add(request.socket);
    good(request, response, network);
  }).start();
  expect(await fadesWithin(8)).toBe(false);
  expect(ends).toBeGreaterThan(0);
}, 60_000);
