import { expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { createPathEstimator, forecast, observeRequestStart, observeSamples } from '.';

interface Network {
  rateBps: number;
  /** Part of each interval in which an answer is awaited. */
  awaited?: number;
}

/** A feed of byte ranges: every network has its own requests, and all bytes are in order. */
function createFeed() {
  let state = observeRequestStart(createPathEstimator(), { requestId: 1, startMs: 0 });
  let nowMs = 0;
  const bytes = new Map<string, number>();
  const awaitedMs = new Map<string, number>();
  return {
    play(ms: number, networks: Readonly<Record<string, Network>>): void {
      for (const endMs = nowMs + ms; nowMs < endMs;) {
        nowMs += 100;
        const subflows = Object.entries(networks).map(([id, { rateBps, awaited = 1 }]) => {
          bytes.set(id, (bytes.get(id) ?? 0) + rateBps / 80);
          awaitedMs.set(id, (awaitedMs.get(id) ?? 0) + 100 * awaited);
          return subflow(id, bytes.get(id) ?? 0, { awaitedMs: awaitedMs.get(id) });
        });
        state = observeSamples(state, batch(nowMs, [connection(subflows, { kind: 'ranges' })]));
      }
    },
    /** From now on an encoder sets the pace. */
    pace(): void {
      const request = { requestId: 1, startMs: nowMs, pacedUntilMs: Infinity };
      state = observeRequestStart(state, request);
    },
    rateOf: (id: string): number =>
      forecast(state, nowMs).paths.find(({ pathId }) => pathId === id)?.rateBps ?? NaN,
    forecast: () => forecast(state, nowMs),
  };
}

const lte = { rateBps: 1e6 };

test('a network that owes bytes and falls silent is slow at once, although the other delivers in order', () => {
  const feed = createFeed();
  feed.play(4000, { wifi: { rateBps: 5e6 }, lte });
  expect(feed.rateOf('wifi')).toBeCloseTo(5e6, -5);
  feed.play(2000, { wifi: { rateBps: 0 }, lte });
  expect(feed.rateOf('wifi')).toBeLessThan(1.7e6);
});

test('a network that owes bytes is slow also where an encoder sets the pace of the others', () => {
  const feed = createFeed();
  const chunks = (ms: number, networks: Readonly<Record<string, Network>>): void => {
    for (let at = 0; at < ms; at += 300) {
      feed.play(100, { lte: { rateBps: 4e6 }, ...networks });
      feed.play(200, { lte: { rateBps: 0 }, ...networks });
    }
  };
  feed.play(4000, { wifi: { rateBps: 5e6 }, lte: { rateBps: 4e6 } });
  feed.pace();
  chunks(2000, { wifi: { rateBps: 5e6 } });
  const [wifiBps, lteBps] = [feed.rateOf('wifi'), feed.rateOf('lte')];
  // A pause of the encoder: nobody delivers.
  feed.play(3000, { wifi: { rateBps: 0 }, lte: { rateBps: 0 } });
  expect(feed.rateOf('wifi')).toBeCloseTo(wifiBps, -4);
  chunks(1000, { wifi: { rateBps: 5e6 } });
  chunks(5000, { wifi: { rateBps: 0 } });
  expect(feed.rateOf('wifi')).toBeLessThan(wifiBps / 2);
  expect(feed.rateOf('lte')).toBeGreaterThan(0.9 * lteBps);
});

test('a network that fades to a trickle is measured as that', () => {
  const feed = createFeed();
  feed.play(4000, { wifi: { rateBps: 5e6 }, lte });
  feed.play(3000, { wifi: { rateBps: 60e3 }, lte });
  expect(feed.rateOf('wifi')).toBeLessThan(1e6);
});

test('a network that owes nothing keeps its rate while the other delivers', () => {
  const feed = createFeed();
  feed.play(4000, { wifi: { rateBps: 5e6 }, lte });
  feed.play(1000, { wifi: { rateBps: 0, awaited: 0 }, lte });
  expect(feed.rateOf('wifi')).toBeCloseTo(5e6, -5);
});

test('a fast network is measured by small answers with idle time between them', () => {
  const feed = createFeed();
  feed.play(500, { wifi: { rateBps: 8e6, awaited: 0.4 }, lte });
  expect(feed.rateOf('wifi')).toBeCloseTo(20e6, -6);
  feed.play(2000, { wifi: { rateBps: 1e6, awaited: 0.4 }, lte });
  expect(feed.rateOf('wifi')).toBeCloseTo(20e6, -6);
});

test('the end of an answer within an interval lowers no rate', () => {
  const feed = createFeed();
  feed.play(4000, { wifi: { rateBps: 5e6 }, lte });
  for (let times = 0; times < 5; times += 1) {
    feed.play(100, { wifi: { rateBps: 1e6, awaited: 0.2 }, lte });
    feed.play(300, { wifi: { rateBps: 0, awaited: 0 }, lte });
  }
  expect(feed.rateOf('wifi')).toBeGreaterThan(4.8e6);
});

test('networks with requests of their own are expected to deliver the sum of their rates', () => {
  const feed = createFeed();
  feed.play(4000, { wifi: { rateBps: 5e6 }, lte });
  const { rateBps, paths } = feed.forecast();
  expect(rateBps).toBeCloseTo(
    paths.reduce((sum, path) => sum + path.rateBps, 0),
    0,
  );
});
