import { describe, expect, it } from 'vitest';
import { answering, bounds, contentRange, file } from './testing/odd-routes';
import { faultlessMs, TwoNetworks, type Route } from './testing/two-networks';

describe('ends in time, with a reason, where every network', () => {
  // The scheduler waits 1, 2, 3... s between the requests of a network that breaks.
  it.concurrent.each<[string, Route, number]>([
    ['breaks each connection', (request) => void request.socket.resetAndDestroy(), 502],
    [
      'closes after the head',
      (request, response) => {
        const [start, end] = bounds(request);
        response.writeHead(206, {
          'Content-Range': contentRange(start, end),
          'Content-Length': end - start,
          ETag: '"v1"',
        });
        response.flushHeaders();
        setTimeout(() => request.socket.destroy(), 10);
      },
      502,
    ],
    ['sends a huge head', answering(200, { 'X-Huge': 'y'.repeat(40_000) }), 502],
    ['sends no HTTP', (request) => void request.socket.end('SSH-2.0-OpenSSH\r\n'), 502],
    [
      'gives empty parts',
      (request, response) => {
        const range = { 'Content-Range': contentRange(...bounds(request)), ETag: '"v1"' };
        response.writeHead(206, { ...range, 'Content-Length': 0 }).end();
      },
      502,
    ],
    ['asks to wait no time', answering(503, { 'Retry-After': '0' }), 503],
    ['asks to wait', answering(429), 429],
    [
      'breaks at the same byte each time',
      (request, response) => {
        response.writeHead(200, { 'Content-Length': file.length, ETag: '"v1"' });
        response.write(file.subarray(0, 1000));
        setTimeout(() => request.socket.resetAndDestroy(), 10);
      },
      502,
    ],
  ])('%s', async (_, route, status) => {
    // Up to 40 requests.
    const limitMs = 25_000 + 10 * (await faultlessMs());
    const own = await new TwoNetworks(route).start();
    const begunMs = performance.now();
    const { failure } = await own.fetch('/x');
    await own.close();
    expect(failure?.status).toBe(status);
    expect(failure?.reason).toMatch(/a: .*; b: /);
    expect(performance.now() - begunMs).toBeLessThan(limitMs);
    expect(own.seen.length).toBeLessThan(40);
  });
});
