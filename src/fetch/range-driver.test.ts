import { afterEach, describe, expect, it, vi } from 'vitest';
import { monotonicClock } from '../kernel';
import { content, serveFile, slowly, TwoNetworks, type Route } from './testing/two-networks';

const SOON = { timeout: 20_000 };

const file = content(1_500_000);
let lab: TwoNetworks;

async function serving(route: Route): Promise<TwoNetworks> {
  lab = await new TwoNetworks(route).start();
  return lab;
}
afterEach(() => lab.close());

const good: Route = slowly((request, response) => serveFile(request, response, file));
const onB =
  (bad: Route): Route =>
  (request, response, network) =>
    (network === 'b' ? bad : good)(request, response, network);

describe('byte ranges of both networks', () => {
  it('are joined in order, with the length of the whole', async () => {
    const { head, body, failure } = await (await serving(good)).fetch('/x');
    expect(failure).toBeUndefined();
    expect(head?.status).toBe(200);
    expect(head?.headers['content-length']).toBe(String(file.length));
    expect(body.equals(file)).toBe(true);
    expect(lab.bytesOver('a')).toBeGreaterThan(0);
    expect(lab.bytesOver('b')).toBeGreaterThan(0);
  });

  it('make up a page’s range, with Content-Range in the answer', async () => {
    const range = { start: 1000, end: 600_000 };
    const { head, body } = await (await serving(good)).fetch('/x', { range });
    expect(head?.status).toBe(206);
    expect(head?.headers['content-range']).toBe(`bytes 1000-599999/${file.length}`);
    expect(body.equals(file.subarray(1000, 600_000))).toBe(true);
  });

  it('serve many readers at once', async () => {
    await serving((request, response) => serveFile(request, response, file.subarray(0, 5000)));
    const all = await Promise.all(Array.from({ length: 200 }, (_, i) => lab.fetch(`/${i}`)));
    expect(all.every(({ body }) => body.equals(file.subarray(0, 5000)))).toBe(true);
  });

  it('are joined although the server closes every connection', async () => {
    await serving(
      slowly((request, response) => {
        response.shouldKeepAlive = false;
        serveFile(request, response, file);
      }, 5),
    );
    expect((await lab.fetch('/x')).body.equals(file)).toBe(true);
  });

  it('are joined for a content-encoded object', async () => {
    await serving(
      slowly((request, response) => {
        response.setHeader('Content-Encoding', 'gzip');
        serveFile(request, response, file);
      }),
    );
    const { head, body } = await lab.fetch('/x');
    expect(head?.headers['content-encoding']).toBe('gzip');
    expect(body.equals(file)).toBe(true);
  });
});

it('keeps its connections from one object to the next', async () => {
  const ports = new Set<number | undefined>();
  await serving((request, response, network) => {
    ports.add(request.socket.remotePort);
    good(request, response, network);
  });
  for (const path of ['/1', '/2', '/3', '/4']) await lab.fetch(path);
  // Three a network.
  expect(ports.size).toBeLessThanOrEqual(6);
});

it('does not count an error page of one server as a portal', async () => {
  const page = { 'Content-Type': 'text/html' };
  await serving(
    onB((request, response) => {
      if (request.url !== '/2') good(request, response, 'b');
      else response.writeHead(404, page).end('<html>404 Not Found</html>');
    }),
  );
  for (const path of ['/1', '/2', '/3']) {
    expect((await lab.fetch(path)).body.equals(file)).toBe(true);
  }
  expect(lab.book.exclusions(['a', 'b'], monotonicClock.nowMs())).toEqual([]);
});

describe('survives on the other network', () => {
  const broken: [string, Route][] = [
    [
      'resets in mid-chunk',
      (request, response) => {
        response.writeHead(206, { 'Content-Range': rangeOf(request), ETag: '"v1"' });
        const [start] = bounds(request);
        response.write(file.subarray(start, start + 100));
        setTimeout(() => request.socket.resetAndDestroy(), 10);
      },
    ],
    ['refuses', (_, response) => void response.writeHead(404).end()],
    ['asks to wait', (_, response) => void response.writeHead(503, { 'Retry-After': '60' }).end()],
    ['has another version', (request, response) => serveFile(request, response, file, '"v2"')],
    ['has a weak validator', (request, response) => serveFile(request, response, file, 'W/"v1"')],
    [
      'sends another range than the requested one',
      (_, response) => {
        const headers = { 'Content-Range': `bytes 0-9/${file.length}`, ETag: '"v1"' };
        response.writeHead(206, headers).end('0123456789');
      },
    ],
    [
      'reports a shorter object with 416',
      (_, response) => {
        response.writeHead(416, { 'Content-Range': 'bytes */10' }).end();
      },
    ],
    [
      'answers with a web page',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>sign in</html>');
      },
    ],
    [
      'redirects to a portal',
      (_, response) => {
        const { port } = new URL(lab.url);
        response.writeHead(302, { Location: `http://localhost:${port}/login` }).end();
      },
    ],
    ['never answers', () => undefined],
    [
      'gives all of it for a range',
      (_, response) => {
        const headers = { 'Content-Length': file.length, ETag: '"v1"' };
        response.writeHead(200, headers).end(file);
      },
    ],
    [
      'trickles',
      (request, response) => {
        response.writeHead(206, { 'Content-Range': rangeOf(request), ETag: '"v1"' });
        const [start] = bounds(request);
        let at = start;
        const timer = setInterval(() => response.write(file.subarray(at, (at += 10))), 100);
        response.once('close', () => clearInterval(timer));
      },
    ],
    [
      'sends fewer bytes than it announced',
      (request, response) => {
        const [start] = bounds(request);
        const range = `bytes ${start}-${start + 999}/${file.length}`;
        response.writeHead(206, { 'Content-Range': range, ETag: '"v1"' });
        response.end(file.subarray(start, start + 1000));
      },
    ],
    [
      'sends more bytes than it announced',
      (request, response) => {
        const [start, end] = bounds(request);
        response.writeHead(206, { 'Content-Range': rangeOf(request), ETag: '"v1"' });
        response.end(Buffer.concat([file.subarray(start, end), Buffer.alloc(5000)]));
      },
    ],
  ];

  it.each(broken)('one that %s', async (_, bad) => {
    await serving(onB(bad));
    const { body, failure } = await lab.fetch('/x');
    expect(failure).toBeUndefined();
    expect(body.length).toBe(file.length);
    expect(body.equals(file)).toBe(true);
  });

  it('one that disappears during a request', async () => {
    await serving(good);
    const fetched = lab.fetch('/x');
    setTimeout(() => lab.lose('b'), 100);
    expect((await fetched).body.equals(file)).toBe(true);
  });
});

describe('reports the excluded network with the reason', () => {
  it('with a portal that redirects', async () => {
    await serving((request, response, network) => {
      if (request.url === '/login') response.writeHead(200).end('<html></html>');
      else if (network === 'a') good(request, response, network);
      else {
        const { port } = new URL(lab.url);
        response.writeHead(302, { Location: `http://localhost:${port}/login` }).end();
      }
    });
    await Promise.all([lab.fetch('/1'), lab.fetch('/2'), lab.fetch('/3')]);
    const exclusions = lab.book.exclusions(['a', 'b'], monotonicClock.nowMs());
    expect(exclusions.map(({ networkId }) => networkId)).toEqual(['b']);
    expect(exclusions[0]?.reason).toMatch(/localhost|validator|part/i);
  });
});

describe('never joins bytes of different objects', () => {
  it('fetches whole segments where the networks reach different servers', async () => {
    await serving(
      slowly((request, response, network) =>
        serveFile(request, response, file, network === 'a' ? '"a"' : '"b"'),
      ),
    );
    const facts = lab.book.of(lab.url);
    const paths = Array.from({ length: 8 }, (_, index) => `/${index}`);
    for (let turn = 0; turn < 4 && facts.joinable; turn += 1) {
      const all = await Promise.all(paths.map((path) => lab.fetch(path)));
      expect(all.every(({ body }) => body.equals(file))).toBe(true);
    }
    expect((await lab.fetch('/last')).body.equals(file)).toBe(true);
    const last = lab.seen.filter(({ url }) => url === '/last');
    expect(last.every(({ headers }) => headers.range === undefined)).toBe(true);
  });

  it('takes one whole answer where the server has no ranges', async () => {
    await serving(
      slowly(
        (_, response) => void response.writeHead(200, { 'Content-Length': file.length }).end(file),
      ),
    );
    expect((await lab.fetch('/x')).body.equals(file)).toBe(true);
    expect((await lab.fetch('/y')).body.equals(file)).toBe(true);
    expect(lab.seen.filter(({ url }) => url === '/y')).toHaveLength(1);
  });

  it('fails where the object changes while it is fetched', async () => {
    const other = content(1_400_000);
    let changed = false;
    await serving(
      slowly((request, response) =>
        changed ? serveFile(request, response, other, '"v2"') : serveFile(request, response, file),
      ),
    );
    const fetched = lab.fetch('/x');
    await vi.waitFor(() => expect(lab.seen.length).toBeGreaterThan(2), SOON);
    changed = true;
    const { body, failure } = await fetched;
    expect(failure).toBeDefined();
    expect(body.equals(file.subarray(0, body.length))).toBe(true);
  });
});

it('passes on a 404 that every network gets', async () => {
  await serving((_, response) => void response.writeHead(404).end());
  const { failure } = await lab.fetch('/x');
  expect(failure?.status).toBe(404);
  expect(new Set(lab.seen.map(({ network }) => network))).toEqual(new Set(['a', 'b']));
});

it('stops reading from the server while the reader is slow', async () => {
  const big = Buffer.alloc(30_000_000);
  await serving((request, response) => serveFile(request, response, big));
  let received = 0;
  const handle = lab.driver.fetch(
    { url: new URL('/x', lab.url), headers: {}, joinable: true },
    {
      onHead: () => undefined,
      onData: (b) => ((received += b.length), false),
      onEnd: () => undefined,
      onFailure: () => undefined,
    },
  );
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const fetched = lab.bytesOver('a') + lab.bytesOver('b');
  expect(received).toBeLessThan(200_000);
  expect(fetched).toBeLessThan(big.length);
  handle.cancel();
});

it('counts no byte as blocked that only waits for its reader', async () => {
  await serving((request, response) => serveFile(request, response, file));
  lab.driver.announce({ url: new URL('/x', lab.url), headers: {}, joinable: false });
  await vi.waitFor(() => expect(lab.bytesOver('a') + lab.bytesOver('b')).toBe(file.length), SOON);
  expect(lab.driver.tally.of('a').blockedBytes + lab.driver.tally.of('b').blockedBytes).toBe(0);
});

function bounds(request: { headers: { range?: string | undefined } }): [number, number] {
  const [, first = '0', last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  return [Number(first), last ? Number(last) + 1 : file.length];
}

function rangeOf(request: { headers: { range?: string | undefined } }): string {
  const [start, end] = bounds(request);
  return `bytes ${start}-${Math.min(end, file.length) - 1}/${file.length}`;
}
