import { afterEach, describe, expect, it } from 'vitest';
import {
  answering,
  bounds,
  contentRange,
  file,
  good,
  part,
  weak,
  wrongPart,
} from './testing/odd-routes';
import {
  content,
  faultlessMs,
  serveFile,
  TwoNetworks,
  type Fetched,
  type Route,
  type TwoNetworksOptions,
} from './testing/two-networks';

let lab: TwoNetworks;

async function serving(route: Route, options: TwoNetworksOptions = {}): Promise<void> {
  lab = await new TwoNetworks(route, options).start();
}
afterEach(() => lab.close());

const expectFile = ({ body, failure }: Fetched): void => {
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
};

describe('a server without a strong validator', () => {
  const lastModified = (modified: () => string): Route =>
    part((start, end) => ({
      'Content-Range': contentRange(start, end),
      'Last-Modified': modified(),
    }));
  const noTotal = part((start, end) => ({ 'Content-Range': contentRange(start, end, '*') }));
  const answers: [string, Route][] = [
    ['a weak ETag', weak],
    ['a recent Last-Modified only', lastModified(() => new Date().toUTCString())],
    ['no length', noTotal],
  ];

  it.each(answers)('a page gets the range that it requests: %s', async (_, route) => {
    await serving(route);
    for (const joinable of [false, true]) {
      const range = { start: 100, end: 1000 };
      const { head, body, failure } = await lab.fetch('/x', { range, joinable });
      expect(failure).toBeUndefined();
      expect(head?.status).toBe(206);
      expect(head?.headers['content-range']).toMatch(/^bytes 100-999\//);
      expect(body.equals(file.subarray(100, 1000))).toBe(true);
    }
  });

  it('an old Last-Modified without an ETag joins the parts', async () => {
    const modified = 'Mon, 01 Jan 2024 00:00:00 GMT';
    await serving(lastModified(() => modified));
    expectFile(await lab.fetch('/x'));
    expect(lab.seen.length).toBeGreaterThan(1);
    expect(lab.seen.every(({ headers }) => headers.range !== undefined)).toBe(true);
    expect(lab.seen.at(-1)?.headers['if-range']).toBe(modified);
    expect(lab.book.notJoined).toBeUndefined();
  });

  it('a range in several parts, the first of which comes last, is not taken for one of them', async () => {
    await serving((request, response) => {
      const isFirst = request.headers.range?.startsWith('bytes=100000-') === true;
      setTimeout(() => weak(request, response, 'a'), isFirst ? 60 : 20);
    });
    const range = { start: 100_000, end: 600_000 };
    const { head, body, failure } = await lab.fetch('/x', { range });
    expect(failure).toBeUndefined();
    expect(head?.headers['content-range']).toMatch(/^bytes 100000-599999\//);
    expect(body.equals(file.subarray(range.start, range.end))).toBe(true);
  });

  it.each(answers)('a segment comes in one request, without a pause: %s', async (_, route) => {
    const limitMs = 900 + (await faultlessMs());
    await serving(route);
    const begunMs = performance.now();
    expectFile(await lab.fetch('/x'));
    expect(performance.now() - begunMs).toBeLessThan(limitMs);
    expect(lab.seen.filter(({ headers }) => headers.range === undefined)).toHaveLength(1);
  });

  it('loses ranges for one object only, and for all after three in a row', async () => {
    await serving((request, ...answer) =>
      (request.url === '/weak' ? weak : good)(request, ...answer),
    );
    expectFile(await lab.fetch('/first'));
    expectFile(await lab.fetch('/weak'));
    const asked = lab.seen.length;
    expectFile(await lab.fetch('/next'));
    expect(lab.seen.slice(asked).every(({ headers }) => headers.range !== undefined)).toBe(true);
    // Three in a row are no exception.
    for (let times = 0; times < 3; times += 1) expectFile(await lab.fetch('/weak'));
    const before = lab.seen.length;
    expectFile(await lab.fetch('/last'));
    expect(lab.seen.slice(before).map(({ headers }) => headers.range)).toEqual([undefined]);
  });

  it('two of its answers are never joined: an answer that breaks off fails', async () => {
    await serving((request, response) => {
      response.writeHead(200, { 'Content-Length': file.length });
      response.write(file.subarray(0, 100_000));
      setTimeout(() => request.socket.resetAndDestroy(), 20);
    });
    const { body, failure } = await lab.fetch('/x', { joinable: false });
    expect(failure).toBeDefined();
    expect(body.equals(file.subarray(0, body.length))).toBe(true);
  });
});

describe('a server without ranges', () => {
  it('a page’s range behind the end gets 416', async () => {
    await serving(answering(200, { 'Content-Length': file.length }, file));
    const range = { start: file.length, end: file.length + 100 };
    expect((await lab.fetch('/x', { range })).failure?.status).toBe(416);
  });

  it('a page’s range that reaches over the end is shortened', async () => {
    await serving(answering(200, { 'Content-Length': file.length }, file));
    const range = { start: file.length - 10, end: file.length + 100 };
    const { head, body } = await lab.fetch('/x', { range });
    expect(head).toMatchObject({ status: 206, headers: { 'content-length': '10' } });
    expect(body.equals(file.subarray(-10))).toBe(true);
  });

  it.each([undefined, 800_000])('without a length a page’s range gets everything', async (end) => {
    await serving((_, response) => void response.writeHead(200).end(file));
    const fetched = await lab.fetch('/x', { range: { start: 500_000, end } });
    expectFile(fetched);
    expect(fetched.head?.status).toBe(200);
    expect(fetched.head?.headers['content-range']).toBeUndefined();
  });
});

describe('an empty object', () => {
  it.each([{}, { joinable: false }, { expectedBytes: 100_000 }])('succeeds: %j', async (r) => {
    await serving((request, response) => serveFile(request, response, Buffer.alloc(0)));
    const { head, body, failure } = await lab.fetch('/x', r);
    expect(failure).toBeUndefined();
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '0' } });
    expect(body).toHaveLength(0);
  });

  it('gets 416 for any range', async () => {
    await serving((request, response) => serveFile(request, response, Buffer.alloc(0)));
    const { failure } = await lab.fetch('/x', { range: { start: 0, end: 10 } });
    expect(failure?.status).toBe(416);
  });
});

describe('a part is refused', () => {
  it.each<[string, Route]>([
    [
      'in several parts',
      wrongPart((start, end) => ({
        'Content-Type': 'multipart/byteranges; boundary=x',
        'Content-Range': contentRange(start, end),
        ETag: '"v1"',
      })),
    ],
    [
      'of another total than before',
      wrongPart((start, end) => ({
        'Content-Range': contentRange(start, end, file.length + 1),
        ETag: '"v1"',
      })),
    ],
    ['without Content-Range', wrongPart(() => ({ ETag: '"v1"' }))],
    [
      'with the Content-Range of a 416',
      wrongPart(() => ({ 'Content-Range': `bytes */${file.length}`, ETag: '"v1"' })),
    ],
    [
      'of another encoding',
      wrongPart((start, end) => ({
        'Content-Range': contentRange(start, end),
        ETag: '"v1"',
        'Content-Encoding': 'gzip',
      })),
    ],
  ])('%s: the other network fetches the object', async (_, bad) => {
    let isBad = false;
    await serving((request, response, network) => {
      // The first answer is the other network's.
      if (network === 'b' && isBad) bad(request, response, network);
      else if (network === 'b') setTimeout(() => good(request, response, network), 100);
      else good(request, response, network);
      isBad = true;
    });
    expectFile(await lab.fetch('/x'));
  });

  it('if the request had no range', async () => {
    await serving(answering(206, { 'Content-Range': 'bytes 0-9/10', ETag: '"v1"' }, '0123456789'));
    const { failure } = await lab.fetch('/x', { joinable: false });
    expect(failure).toMatchObject({ status: 502, reason: /no range was asked for/ });
  });
});

describe('a status without content', () => {
  it.each([201, 204, 205, 226, 300, 302])('%i becomes 502 for the page', async (status) => {
    await serving(answering(status));
    expect((await lab.fetch('/x')).failure?.status).toBe(502);
  });

  it('is passed on at once where the other network has no way to the server', async () => {
    const limitMs = 4000 + (await faultlessMs());
    lab = await new TwoNetworks(answering(404), {
      resolve: (host, { id }) =>
        id === 'a' ? Promise.resolve([host]) : Promise.reject(new Error('no such host')),
    }).start();
    const begunMs = performance.now();
    expect((await lab.fetch('/x')).failure?.status).toBe(404);
    expect(performance.now() - begunMs).toBeLessThan(limitMs);
  });

  it.each([304, 404, 410, 500])('%i is passed on', async (status) => {
    await serving(answering(status));
    expect((await lab.fetch('/x')).failure?.status).toBe(status);
  });

  it('does not delay the next segment', async () => {
    await serving((request, response, network) =>
      (request.url === '/absent' ? answering(404) : good)(request, response, network),
    );
    await lab.fetch('/1');
    await lab.fetch('/absent');
    const limitMs = 900 + (await faultlessMs());
    const begunMs = performance.now();
    expectFile(await lab.fetch('/2'));
    expect(performance.now() - begunMs).toBeLessThan(limitMs);
  });
});

it('takes informational answers, trailers and chunks for what they are', async () => {
  await serving((request, response) => {
    const [start, end] = bounds(request);
    response.writeEarlyHints({ link: '</x>; rel=preload' });
    response.writeProcessing();
    response.writeHead(206, {
      'Content-Range': contentRange(start, end),
      ETag: '"v1"',
      Trailer: 'X-Sum',
    });
    response.write(file.subarray(start, end));
    response.addTrailers({ 'X-Sum': '1' });
    setTimeout(() => response.end(), 20);
  });
  expectFile(await lab.fetch('/x'));
});

it('forgives one update of an object', async () => {
  const other = content(500_000);
  let isNew = false;
  await serving(
    (request, response) =>
      void setTimeout(() => {
        serveFile(request, response, isNew ? other : file, isNew ? '"v2"' : '"v1"');
        isNew ||= lab.seen.length > 3;
      }, 40),
  );
  await lab.fetch('/x');
  expect(lab.book.of(lab.url).joinable).toBe(true);
  expect((await lab.fetch('/x')).body.equals(other)).toBe(true);
});
