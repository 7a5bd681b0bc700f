import { afterEach, describe, expect, it } from 'vitest';
import { monotonicClock } from '../kernel';
import type { AddressSpace } from './address-space';
import { selfSigned } from './testing/self-signed';
import {
  content,
  faultlessMs,
  serveFile,
  TwoNetworks,
  type Fetched,
  type NetworkName,
  type Route,
  type TwoNetworksOptions,
} from './testing/two-networks';

const file = content(600_000);
let lab: TwoNetworks;

async function serving(route: Route, options: TwoNetworksOptions = {}): Promise<void> {
  // Every name leads to the same server, which knows them apart by `Host`.
  const resolve = (): Promise<string[]> => Promise.resolve(['127.0.0.1']);
  lab = await new TwoNetworks(route, { resolve, ...options }).start();
}
afterEach(() => lab.close());

const good: Route = (request, response) =>
  void setTimeout(() => serveFile(request, response, file), 20);
/** A server without ranges and validators. */
const plain: Route = (_, response) =>
  void response.writeHead(200, { 'Content-Length': file.length }).end(file);
const page: Route = (_, response) =>
  void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>sign in</html>');

/** Redirects each network's requests of the origin to a host, which answers them with `then`. */
const redirecting =
  (hostOf: (network: NetworkName) => string | undefined, then: Route = good): Route =>
  (request, response, network) => {
    const { port, hostname } = new URL(lab.url);
    const host = hostOf(network);
    if (host === undefined || !request.headers.host?.startsWith(hostname)) {
      then(request, response, network);
    } else response.writeHead(302, { Location: `http://${host}:${port}/y` }).end();
  };

const exclusions = (): { networkId: string; reason: string }[] =>
  lab.book.exclusions(['a', 'b'], monotonicClock.nowMs());
const excluded = (): string[] => exclusions().map(({ networkId }) => networkId);
const expectFile = ({ body, failure }: Fetched): void => {
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
};

describe.each([
  ['a segment', true],
  ['a manifest', false],
])('%s', (_, joinable) => {
  it.each<[string, Route]>([
    ['with ranges', good],
    ['without ranges', plain],
  ])('may come from another host for each network: %s', async (__, then) => {
    await serving(redirecting((network) => `cdn-${network}.test`, then));
    expectFile(await lab.fetch('/x', { joinable }));
    expectFile(await lab.fetch('/y', { joinable }));
    expect(excluded()).toEqual([]);
  });

  it.each<NetworkName>(['a', 'b'])(
    'comes from a CDN while a portal answers over %s',
    async (bad) => {
      await serving((request, response, network) =>
        (network === bad ? page : redirecting(() => 'cdn.test', plain))(request, response, network),
      );
      expectFile(await lab.fetch('/x', { joinable }));
      const other = bad === 'a' ? 'b' : 'a';
      expect(excluded()).not.toContain(other);
      expectFile(await lab.fetch('/y', { joinable }));
    },
  );

  it('comes from a CDN while the other network is silent', async () => {
    await serving((request, response, network) => {
      if (network === 'a') redirecting(() => 'cdn.test', plain)(request, response, network);
    });
    const limitMs = 9000 + 2 * (await faultlessMs());
    const begunMs = performance.now();
    expectFile(await lab.fetch('/x', { joinable }));
    expectFile(await lab.fetch('/y', { joinable }));
    expect(performance.now() - begunMs).toBeLessThan(limitMs);
  });

  it.each<NetworkName>(['a', 'b'])('arrives despite a portal over %s', async (bad) => {
    await serving((request, response, network) =>
      (network === bad ? page : good)(request, response, network),
    );
    for (const path of ['/1', '/2', '/3']) expectFile(await lab.fetch(path, { joinable }));
    const asked = lab.seen.filter(({ network }) => network === bad).length;
    if (asked > 0) expect(exclusions()).toMatchObject([{ networkId: bad, reason: /web page/ }]);
  });
});

it('accepts a manifest of type text/html if every network gets it', async () => {
  await serving(page);
  const { body } = await lab.fetch('/x', { joinable: false });
  expect(body.toString()).toContain('html');
  expect((await lab.fetch('/x')).failure?.reason).toMatch(/web page/);
});

describe('a redirect ends the request', () => {
  it.each(['/x', '//', 'http://[', 'ftp://cdn.test/', 'javascript:1'])(
    'where every network redirects to %s',
    async (location) => {
      await serving((_, response) => void response.writeHead(302, { Location: location }).end());
      const { failure } = await lab.fetch('/x');
      expect(failure?.status).toBe(502);
      expect(lab.seen.length).toBeLessThanOrEqual(12);
    },
  );

  it('where two hosts redirect to each other', async () => {
    await serving((request, response) => {
      const { port } = new URL(lab.url);
      const next = request.headers.host?.startsWith('one') === true ? 'two' : 'one';
      response.writeHead(307, { Location: `http://${next}.test:${port}/x` }).end();
    });
    expect((await lab.fetch('/x')).failure).toMatchObject({ status: 502, reason: /circle/ });
  });

  it('where the target does not exist', async () => {
    await serving(
      redirecting(() => 'gone.test'),
      {
        resolve: (host) =>
          host === 'gone.test' ? Promise.reject(new Error('NXDOMAIN')) : Promise.resolve([host]),
      },
    );
    const { failure } = await lab.fetch('/x');
    expect(failure?.reason).toMatch(/gone\.test does not resolve/);
  });
});

describe('a redirect of one network only', () => {
  it('in a circle does not affect the other network', async () => {
    await serving((request, response, network) => {
      if (network === 'a') response.writeHead(302, { Location: request.url }).end();
      else good(request, response, network);
    });
    expectFile(await lab.fetch('/x'));
  });

  it('in mid-segment does not affect the other network', async () => {
    let count = 0;
    await serving((request, response, network) => {
      count += 1;
      if (network === 'b' && count > 3)
        redirecting(() => 'login.test', page)(request, response, 'b');
      else good(request, response, network);
    });
    expectFile(await lab.fetch('/1'));
    expectFile(await lab.fetch('/2'));
    expect(excluded()).not.toContain('a');
  });
});

describe('to an address nearer to this machine than the server', () => {
  const redirectsToRouter =
    (only?: NetworkName): Route =>
    (request, response, network) => {
      const isRouter = request.headers.host?.startsWith('127.0.0.9') === true;
      if (isRouter || (only !== undefined && network !== only)) good(request, response, network);
      else {
        const { port } = new URL(lab.url);
        response.writeHead(302, { Location: `http://127.0.0.9:${port}/reboot` }).end();
      }
    };
  const options: TwoNetworksOptions = {
    host: 'media.test',
    listen: '0.0.0.0',
    resolve: (host) => Promise.resolve([host === 'media.test' ? '127.0.0.1' : host]),
    spaceOf: (address) => (address === '127.0.0.1' ? 'public' : 'private'),
  };

  it('no request goes', async () => {
    await serving(redirectsToRouter(), options);
    const { failure } = await lab.fetch('/x');
    expect(failure).toMatchObject({ status: 502, reason: /nearer to this machine/ });
    expect(lab.seen.map(({ url }) => url)).not.toContain('/reboot');
  });

  it('a network that redirects there is excluded, with the reason', async () => {
    await serving(redirectsToRouter('b'), options);
    for (const path of ['/1', '/2', '/3']) expectFile(await lab.fetch(path));
    expect(lab.seen.map(({ url }) => url)).not.toContain('/reboot');
    if (lab.seen.some(({ network }) => network === 'b')) {
      expect(exclusions()).toMatchObject([{ networkId: 'b', reason: /nearer to this machine/ }]);
    }
  });

  it('a URL of the manifest is not requested either', async () => {
    await serving(good, options);
    expectFile(await lab.fetch('/manifest'));
    const { port } = new URL(lab.url);
    const reboot = new URL(`http://127.0.0.9:${port}/reboot`);
    const { failure } = await lab.fetch('/x', { url: reboot });
    expect(failure?.reason).toMatch(/nearer to this machine/);
    expect(lab.seen.map(({ url }) => url)).not.toContain('/reboot');
  });

  it('a stream of the local network may use servers there and on the internet', async () => {
    const spaceOf = (address: string): AddressSpace =>
      address === '127.0.0.8' ? 'public' : 'private';
    await serving(good, { ...options, spaceOf });
    expectFile(await lab.fetch('/manifest'));
    const { port } = new URL(lab.url);
    for (const host of ['127.0.0.9', '127.0.0.8']) {
      expectFile(await lab.fetch('/x', { url: new URL(`http://${host}:${port}/x`) }));
    }
  });

  it('a redirect within the same address space is followed', async () => {
    await serving(redirectsToRouter(), { ...options, spaceOf: () => 'private' });
    expectFile(await lab.fetch('/x'));
  });
});

it('follows no redirection from HTTPS to HTTP', async () => {
  const own = selfSigned();
  await serving(
    (request, response, network) => {
      if (network === 'b') response.writeHead(302, { Location: 'http://localhost/x' }).end();
      else good(request, response, network);
    },
    { tls: own, extraCa: own.cert, host: 'localhost' },
  );
  for (const path of ['/1', '/2', '/3']) expectFile(await lab.fetch(path));
  if (lab.seen.some(({ network }) => network === 'b')) expect(excluded()).toEqual(['b']);
});

it('accepts a manifest of type text/html while another network is silent', async () => {
  await serving((request, response, network) => {
    if (network === 'a') page(request, response, network);
  });
  const { body } = await lab.fetch('/x', { joinable: false });
  expect(body.toString()).toContain('html');
}, 20_000);
