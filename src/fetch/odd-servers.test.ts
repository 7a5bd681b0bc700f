import { afterEach, describe, expect, it } from 'vitest';
import { file, part } from './testing/odd-routes';
import { content, serveFile, slowly, TwoNetworks, type Route } from './testing/two-networks';

let lab: TwoNetworks;
afterEach(() => lab.close());

/** As nginx with `limit_conn 1`: answers one request of an address at a time. */
function limited(headers: Record<string, string>) {
  const busy = new Set<string>();
  const counts = { refused: 0 };
  const route: Route = (request, response, network) => {
    if (busy.has(network)) {
      counts.refused += 1;
      response.writeHead(503, { 'Content-Type': 'text/html', ...headers }).end('busy');
      return;
    }
    busy.add(network);
    response.once('close', () => busy.delete(network));
    const end = response.end.bind(response);
    // The head comes at once, the body later.
    response.end = ((body: Buffer) => {
      response.flushHeaders();
      setTimeout(() => end(body), 100);
    }) as never;
    serveFile(request, response, file);
  };
  return { route, counts };
}

describe('a server that answers one request of an address at a time', () => {
  it.each([{}, { 'Retry-After': '30' }])(
    'carries the stream over both networks, without waits (%j)',
    async (headers) => {
      const server = limited(headers);
      lab = await new TwoNetworks(server.route).start();
      const beganMs = performance.now();
      for (let i = 0; i < 6; i += 1) {
        const { body } = await lab.fetch(`/${i}`, { expectedBytes: file.length });
        expect(body.equals(file)).toBe(true);
      }
      expect(server.counts.refused).toBeGreaterThan(0);
      expect(lab.bytesOver('a')).toBeGreaterThan(0);
      expect(lab.bytesOver('b')).toBeGreaterThan(0);
      // Each network learns its limit from a refusal or two, and is asked for one chunk at a time from then on.
      expect(server.counts.refused).toBeLessThan(8);
      // One wait of `Retry-After` would take longer.
      expect(performance.now() - beganMs).toBeLessThan(25_000);
    },
    60_000,
  );
});

async function fetchAll(urls: readonly string[]): Promise<(number | undefined)[]> {
  const lengths: (number | undefined)[] = [];
  for (const url of urls) {
    const { failure, body } = await lab.fetch(url);
    lengths.push(failure?.status ?? body.length);
  }
  return lengths;
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `/${i}`);

describe('a server whose ranges have no use', () => {
  it('is asked for whole segments if it never fulfils If-Range', async () => {
    lab = await new TwoNetworks(
      slowly((request, response) => {
        if (request.headers['if-range'] !== undefined) delete request.headers.range;
        serveFile(request, response, file);
      }),
    ).start();
    expect((await fetchAll(names(6))).slice(2)).toEqual(Array(4).fill(file.length));
  });

  it('is asked for whole segments if no Content-Range of it can be read', async () => {
    lab = await new TwoNetworks(
      slowly(
        part((start, end) => ({ 'Content-Range': `bytes=${start}-${end - 1}`, ETag: '"v1"' })),
      ),
    ).start();
    expect((await fetchAll(names(4))).slice(2)).toEqual([file.length, file.length]);
  });
});

describe('a server that answers a range of everything with 200', () => {
  const small = content(16_000);
  const bodyOf = (url = ''): Buffer => (url.startsWith('/small') ? small : file);

  it.each([
    ['before its first part', ['/small']],
    ['after one', ['/0', '/small0', '/small1', '/small2', '/small3']],
  ])('is still asked for ranges over both networks, %s', async (_, urls) => {
    lab = await new TwoNetworks(
      slowly((request, response) => {
        const body = bodyOf(request.url);
        const [first, last = ''] = (request.headers.range ?? '').slice('bytes='.length).split('-');
        const isAll = first === '0' && (last === '' || Number(last) >= body.length - 1);
        if (isAll) delete request.headers.range;
        serveFile(request, response, body);
      }),
    ).start();
    await fetchAll(urls);
    const before = lab.bytesOver('b');
    await fetchAll(['/5', '/6', '/7']);
    expect(lab.book.notJoined).toBeUndefined();
    expect(lab.bytesOver('b')).toBeGreaterThan(before);
  });
});

it.each([408, 500, 502, 503])(
  'a passing %i in the middle of an object is asked again',
  async (status) => {
    const large = content(600_000);
    const failed = new Set<string>();
    lab = await new TwoNetworks((request, response, network) => {
      const start = Number(/bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0);
      if (start > 100_000 && !failed.has(network)) {
        failed.add(network);
        response.writeHead(status).end();
      } else setTimeout(() => serveFile(request, response, large), 20);
    }).start();
    const { body, failure } = await lab.fetch('/x');
    expect(failure).toBeUndefined();
    expect(body.equals(large)).toBe(true);
    expect(failed.size).toBeGreaterThan(0);
  },
);
