import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { monotonicClock } from '../kernel';
import { content, serveFile, TwoNetworks, type Fetched, type Route } from './testing/two-networks';

const file = content(400_000);
/** The server has written all of the segment after this time. */
const GROWN_MS = 300;
let lab: TwoNetworks;
afterEach(() => lab.close());

const isGrown = (beginMs: number): boolean => performance.now() - beginMs > GROWN_MS;

/** The first network carries a packet each 20 ms, as where its signal fades: it is never silent. */
let isSlow = true;
function trickle(response: ServerResponse): void {
  let at = 60_000;
  isSlow = true;
  response.write(file.subarray(0, at));
  const timer = setInterval(() => {
    const bytes = isSlow ? 1000 : 100_000;
    response.write(file.subarray(at, at + bytes));
    at += bytes;
    if (at >= file.length) response.end();
  }, 20);
  response.once('close', () => clearInterval(timer));
}

/** Fetches a segment that is still being written, over a first network that fades. */
async function fetchLate(other: Route): Promise<Fetched> {
  lab = await new TwoNetworks((request, response, network) => {
    if (network === lab.seen[0]?.network) trickle(response);
    else other(request, response, network);
  }).start();
  const nowMs = monotonicClock.nowMs();
  return lab.fetch('/segment', {
    joinable: false,
    expectedBytes: file.length,
    grownAtMs: nowMs + GROWN_MS,
    neededAtMs: nowMs + 1000,
  });
}

it('fetches the rest of a late segment over another network once the server has written all of it', async () => {
  const beginMs = performance.now();
  const { head, body, failure } = await fetchLate((request, response) => {
    // A range of it has no meaning before.
    expect(isGrown(beginMs)).toBe(true);
    serveFile(request, response, file);
  });
  expect(failure).toBeUndefined();
  expect(head?.status).toBe(200);
  expect(body.equals(file)).toBe(true);
  const rest = lab.seen.at(-1);
  const [, first = '0'] = /^bytes=(\d+)-$/.exec(rest?.headers.range ?? '') ?? [];
  expect(Number(first)).toBeGreaterThan(50_000);
  expect(lab.bytesOver(rest?.network ?? 'b')).toBeLessThan(file.length - 50_000);
});

it('fetches all of it where the server has no ranges', async () => {
  const { body, failure } = await fetchLate((_, response) => {
    response.writeHead(200, { 'Content-Length': file.length }).end(file);
  });
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
});

it('goes on where the server of the other network has less of it', async () => {
  const { body, failure } = await fetchLate((_, response) => {
    isSlow = false;
    response.writeHead(416, { 'Content-Range': 'bytes */50000' }).end();
  });
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
});

it('asks for the rest again where its answer breaks', async () => {
  let count = 0;
  const { body, failure } = await fetchLate((request, response) => {
    count += 1;
    const [, first = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(first);
    if (count > 1) serveFile(request, response, file);
    else {
      const range = `bytes ${start}-${file.length - 1}/${file.length}`;
      response.writeHead(206, { 'Content-Range': range, 'Content-Length': file.length - start });
      response.write(file.subarray(start, start + 60_000), () => response.destroy());
    }
  });
  expect(count).toBeGreaterThan(1);
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
});

it('keeps the first answer where the rest is of another version', async () => {
  const shown = { isOver: false };
  const other = content(file.length + 1000).subarray(1000);
  const fetched = fetchLate((request, response) => {
    serveFile(request, response, other);
    shown.isOver = true;
  });
  await expect.poll(() => shown.isOver, { timeout: 5000 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 200));
  lab.driver.close();
  const { body } = await fetched;
  expect(body.length).toBeGreaterThan(60_000);
  expect(body.equals(file.subarray(0, body.length))).toBe(true);
});
