import { afterEach, describe, expect, it } from 'vitest';
import { monotonicClock } from '../kernel';
import type { Clock } from '../ports';
import type { Resolve } from './resolve';
import { content, serveFile, slowly, TwoNetworks } from './testing/two-networks';

const file = content(600_000);
/** These tests run this many times as fast as their clock says. */
const SPEED = 10;
const clock: Clock = {
  nowMs: () => monotonicClock.nowMs() * SPEED,
  after: (delayMs, callback) => monotonicClock.after(delayMs / SPEED, callback),
};
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms / SPEED));

/** A network that drops every packet: an attempt to connect fails after 4 s. */
const dark: Resolve = async () => {
  await wait(4000);
  throw new Error('no answer within 4000 ms');
};
/** A network on which the way to a connection takes three seconds. */
const slow: Resolve = async () => {
  await wait(3000);
  return ['127.0.0.1'];
};

const light: Resolve = () => Promise.resolve(['127.0.0.1']);

let lab: TwoNetworks;
afterEach(() => lab.close());

async function open(a: Resolve, b: Resolve): Promise<void> {
  const resolve: Resolve = (host, network) => (network.id === 'a' ? a : b)(host, network);
  const route = slowly((request, response) => serveFile(request, response, file));
  lab = await new TwoNetworks(route, { clock, resolve, host: 'localhost' }).start();
}

describe('an object', () => {
  it('fails after 12 s where no network connects, whatever the number of attempts', async () => {
    await open(dark, dark);
    const begunMs = clock.nowMs();
    const { failure } = await lab.fetch('/x');
    const tookMs = clock.nowMs() - begunMs;
    expect(failure).toMatchObject({ status: 502 });
    expect(failure?.reason).toMatch(/^a: localhost.* no answer.*; b: localhost.* no answer/);
    expect(tookMs).toBeGreaterThan(11_900);
    // The attempts alone would end after 39 s.
    expect(tookMs).toBeLessThan(25_000);
  });

  it('comes over a network that works beside a dark one', async () => {
    await open(dark, light);
    // Each half comes after eight seconds, so the answer takes longer than an object without one may.
    lab.route = (_, response) =>
      void wait(8000)
        .then(() => response.write(file.subarray(0, 300_000)))
        .then(() => wait(8000))
        .then(() => response.end(file.subarray(300_000)));
    const { body, failure } = await lab.fetch('/x', { joinable: false });
    expect(failure).toBeUndefined();
    expect(body.equals(file)).toBe(true);
  });

  it('comes over networks that connect slowly', async () => {
    await open(slow, slow);
    const { body, failure } = await lab.fetch('/x');
    expect(failure).toBeUndefined();
    expect(body.equals(file)).toBe(true);
  });

  it('comes over a network that was dark for seven seconds', async () => {
    const lightMs = clock.nowMs() + 7000;
    // An attempt under way succeeds, as TCP repeats its SYN.
    const later: Resolve = (...asked) =>
      Promise.race([dark(...asked), wait(lightMs - clock.nowMs()).then(() => light(...asked))]);
    await open(dark, later);
    const { body, failure } = await lab.fetch('/x');
    expect(failure).toBeUndefined();
    expect(body.equals(file)).toBe(true);
  });
});
