import { afterEach, describe, expect, it } from 'vitest';
import type { ResponseHead } from './exchange';
import { content, serveFile, TwoNetworks, type Route } from './testing/two-networks';

const big = content(30_000_000);
const small = content(200_000);
/** Longer than a network may be silent. */
const PAUSE_MS = 12_000;
let lab: TwoNetworks;
afterEach(() => lab.close());

const withRanges: Route = (request, response) =>
  serveFile(request, response, request.url === '/small' ? small : big);
const whole: Route = (request, response) => {
  const file = request.url === '/small' ? small : big;
  response.writeHead(200, { 'Content-Length': file.length }).end(file);
};

describe.each([
  ['with ranges', withRanges],
  ['without ranges', whole],
])('a reader that pauses for longer than a network may be silent, %s', (_, route) => {
  it('gets every byte once, and other readers do not wait for it', async () => {
    lab = await new TwoNetworks(route).start();
    const chunks: Buffer[] = [];
    let head: ResponseHead | undefined;
    let isPaused = false;
    let goOn = (): void => undefined;
    const ended = new Promise<string | undefined>((resolve) => {
      const handle = lab.driver.fetch(
        { url: new URL('/big', lab.url), headers: {}, joinable: true },
        {
          onHead: (found) => (head = found),
          onData(bytes) {
            chunks.push(bytes);
            if (isPaused || chunks.length !== 4) return true;
            isPaused = true;
            goOn = () => handle.drained();
            return false;
          },
          onEnd: () => resolve(undefined),
          onFailure: (__, reason) => resolve(reason),
        },
      );
    });
    await expect.poll(() => isPaused, { timeout: 10_000 }).toBe(true);
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(lab.driver.beliefs.map(({ health }) => health)).not.toContain('faded');
    // The reader goes on only after all of them.
    for (let count = 0; count < 5; count += 1) {
      expect((await lab.fetch('/small')).body.equals(small)).toBe(true);
    }
    await pause;
    goOn();
    expect(await ended).toBeUndefined();
    expect(head?.status).toBe(200);
    expect(Buffer.concat(chunks).equals(big)).toBe(true);
    // Some requests are repeated on a busy processor, but not the file.
    expect(lab.bytesOver('a') + lab.bytesOver('b')).toBeLessThan(1.5 * big.length);
  });
});

it('several readers that take nothing leave a connection to the others', async () => {
  lab = await new TwoNetworks(withRanges).start();
  await lab.fetch('/small');
  const reading = ['/1', '/2', '/3'].map((path) => {
    let isHeld = true;
    const bytes: Buffer[] = [];
    let handle: { drained(): void } | undefined;
    const ended = new Promise<string | undefined>((resolve) => {
      handle = lab.driver.fetch(
        { url: new URL(path, lab.url), headers: {}, joinable: true },
        {
          onHead: () => undefined,
          onData: (piece) => (bytes.push(piece), !isHeld),
          onEnd: () => resolve(undefined),
          onFailure: (_, reason) => resolve(reason),
        },
      );
    });
    return {
      bytes,
      ended,
      goOn() {
        isHeld = false;
        handle?.drained();
      },
    };
  });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect((await lab.fetch('/small')).body.equals(small)).toBe(true);
  for (const one of reading) one.goOn();
  for (const { bytes, ended } of reading) {
    expect(await ended).toBeUndefined();
    expect(Buffer.concat(bytes).equals(big)).toBe(true);
  }
}, 60_000);

it('a missing range is fetched after a pause, although the bytes after it have arrived', async () => {
  let requests = 0;
  lab = await new TwoNetworks((request, response) => {
    requests += 1;
    const answer = (): void => serveFile(request, response, big);
    if (requests === 2) setTimeout(answer, 1000);
    else answer();
  }).start();
  const chunks: Buffer[] = [];
  const reason = await new Promise<string | undefined>((resolve) => {
    const handle = lab.driver.fetch(
      { url: new URL('/big', lab.url), headers: {}, joinable: true },
      {
        onHead: () => undefined,
        onData(bytes) {
          chunks.push(bytes);
          if (chunks.length > 1) return true;
          setTimeout(() => handle.drained(), 500);
          return false;
        },
        onEnd: () => resolve(undefined),
        onFailure: (_, text) => resolve(text),
      },
    );
  });
  expect(reason).toBeUndefined();
  expect(Buffer.concat(chunks).equals(big)).toBe(true);
});
