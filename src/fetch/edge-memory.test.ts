import { afterEach, expect, it } from 'vitest';
import { monotonicClock } from '../kernel';
import { OriginFacts } from './origin-book';
import type { ServerResponse } from 'node:http';
import { content, serveFile, TwoNetworks } from './testing/two-networks';

const differing = (...times: number[]): OriginFacts => {
  const facts = new OriginFacts();
  for (const nowMs of times) facts.edges.differed(nowMs, false);
  return facts;
};

it('takes one object of another version for an update', () => {
  expect(differing(0).asksForRanges(1)).toBe(true);
  expect(differing(0, 1).asksForRanges(2)).toBe(false);
});

it('asks for ranges again after a minute, ever more seldom, until parts of both edges agree', () => {
  const facts = differing(0, 0);
  expect([59_999, 60_000, 61_000].map((ms) => facts.asksForRanges(ms))).toEqual([
    ...[false, true, true],
  ]);
  expect(facts.wholeReason).toMatch(/validators differ/);
  // Two objects of the same retry.
  facts.edges.differed(61_000, false);
  facts.edges.differed(61_001, false);
  expect([61_002, 180_999, 181_000].map((ms) => facts.asksForRanges(ms))).toEqual([
    ...[false, false, true],
  ]);
  facts.edges.agreed(181_000);
  expect(facts.wholeReason).toBeUndefined();
  expect(facts.asksForRanges(181_001)).toBe(true);
});

it('asks for ranges again once a network changed', () => {
  const facts = differing(0, 0);
  facts.forget('wlan0');
  expect(facts.asksForRanges(1)).toBe(true);
  facts.edges.differed(1, false);
  expect(facts.asksForRanges(2)).toBe(false);
});

it('never asks a server for ranges again that refuses its own validator', () => {
  const facts = new OriginFacts();
  facts.edges.differed(0, true);
  facts.edges.differed(0, true);
  facts.forget('wlan0');
  expect(facts.asksForRanges(1e9)).toBe(false);
});

/** A loopback interface is too fast for two networks to share an object. */
function paced(response: ServerResponse): ServerResponse {
  const end = response.end.bind(response);
  response.end = ((body: Buffer) => {
    for (let at = 0; at < body.length; at += 10_000) {
      setTimeout(() => void response.write(body.subarray(at, at + 10_000)), 10 + at / 1000);
    }
    setTimeout(() => void end(), 20 + body.length / 1000);
    return response;
  }) as never;
  return response;
}

let lab: TwoNetworks | undefined;
afterEach(() => lab?.close());

it('joins ranges of two networks again once they reach the same edge', async () => {
  const file = content(600_000);
  let skewMs = 0;
  let areOne = false;
  lab = await new TwoNetworks(
    (request, response, network) =>
      serveFile(request, paced(response), file, areOne ? '"one"' : `"${network}"`),
    { clock: { ...monotonicClock, nowMs: () => monotonicClock.nowMs() + skewMs } },
  ).start();
  const facts = lab.book.of(lab.url);
  const fetchUntil = async (isSo: () => boolean): Promise<void> => {
    // On a busy processor many answers come over one network alone.
    for (let i = 0; i < 200 && !isSo(); i += 1) {
      const { body } = await (lab?.fetch(`/${i}`) ?? Promise.reject(new Error('no lab')));
      expect(body.equals(file)).toBe(true);
    }
    expect(isSo()).toBe(true);
  };
  await fetchUntil(() => facts.wholeReason !== undefined);
  expect(facts.wholeReason).toMatch(/validators differ/);
  areOne = true;
  skewMs = 61_000;
  await fetchUntil(() => facts.wholeReason === undefined);
}, 30_000);
