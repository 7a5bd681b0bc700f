import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { content, TwoNetworks } from './testing/two-networks';

const CHUNKS = 8;
const chunk = content(20_000);
const file = Buffer.concat(Array.from({ length: CHUNKS }, () => chunk));
let lab: TwoNetworks;
afterEach(() => lab.close());

/** A segment that its encoder writes while it is requested: a chunk each 50 ms, with one pause. Every reader sees the same. */
class Encoder {
  readonly #beginMs = performance.now();
  readonly #pauseMs: number;
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  get #written(): number {
    const ms = performance.now() - this.#beginMs;
    const running = ms < 200 ? ms : Math.max(200, ms - this.#pauseMs);
    return Math.min(CHUNKS, Math.floor(running / 50) + 1);
  }

  write(response: ServerResponse, isStuck = (): boolean => false): void {
    let sent = 0;
    const timer = setInterval(() => {
      for (; sent < this.#written && !isStuck(); sent += 1) response.write(chunk);
      if (sent < CHUNKS) return;
      clearInterval(timer);
      response.end();
    }, 10);
    response.once('close', () => clearInterval(timer));
  }
}

it('goes on after an encoder paused for 3 s', async () => {
  const encoder = new Encoder(3000);
  lab = await new TwoNetworks((_, response) => encoder.write(response)).start();
  const { head, body, failure } = await lab.fetch('/segment', { joinable: false });
  expect(failure).toBeUndefined();
  expect(head?.status).toBe(200);
  expect(body.equals(file)).toBe(true);
}, 15_000);

it('goes on over another network if the first one carries nothing more', async () => {
  const encoder = new Encoder(0);
  lab = await new TwoNetworks((_, response, network) => {
    const beginMs = performance.now();
    const isFirst = network === lab.seen[0]?.network;
    encoder.write(response, () => isFirst && performance.now() - beginMs > 120);
  }).start();
  const { body, failure } = await lab.fetch('/segment', { joinable: false });
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
  expect(new Set(lab.seen.map(({ network }) => network))).toEqual(new Set(['a', 'b']));
}, 15_000);

it('goes on over another network when the first one is lost', async () => {
  const encoder = new Encoder(0);
  lab = await new TwoNetworks((_, response) => encoder.write(response)).start();
  setTimeout(() => lab.lose(lab.seen[0]?.network ?? 'a'), 150);
  const { body, failure } = await lab.fetch('/segment', { joinable: false });
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
}, 15_000);

it('fails if the other network has other bytes', async () => {
  lab = await new TwoNetworks((_, response) => {
    response.write(lab.seen.length === 1 ? chunk : content(40_000).subarray(1000));
  }).start();
  const { body, failure } = await lab.fetch('/segment', { joinable: false });
  expect(failure?.reason).toContain('other bytes');
  expect(body.equals(chunk)).toBe(true);
}, 15_000);
