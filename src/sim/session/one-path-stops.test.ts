import { expect, test } from 'vitest';
import type { TimelineEvent } from '../../scenario';
import { play, type TestResult } from './testing/play';

const wifiPath = { id: 'wifi', rateBps: 5e6, delayMs: 10 };
/** `lte` costs more than it adds, so `wifi` carries the stream alone. */
const paths = [wifiPath, { id: 'lte', rateBps: 900e3, delayMs: 150, lossRatio: 0.01 }];
const wifi = (state: 'blackhole' | 'up', atMs: number): TimelineEvent => ({
  kind: 'link-state',
  link: 'wifi',
  state,
  atMs,
});

/** The wanted states of a path between two times, without repetitions. */
function wanted({ decisions }: TestResult, id: string, fromMs: number, toMs: number): string[] {
  return decisions
    .filter(({ monotonicMs }) => monotonicMs >= fromMs && monotonicMs < toMs)
    .flatMap(({ paths: all }) => all.flatMap((one) => (one.pathId === id ? one.desired : [])))
    .filter((state, i, states) => state !== states[i - 1]);
}

test('the path that carries the stream alone is closed within 1.5 s of its end, and returns', () => {
  const events = [wifi('blackhole', 13_000), wifi('up', 19_000)];
  const played = play({ paths, events, durationMs: 40_000 });
  expect(wanted(played, 'wifi', 12_000, 13_000)).toEqual(['active']);
  expect(wanted(played, 'wifi', 13_000, 14_500)).toContain('closed');
  expect(wanted(played, 'wifi', 23_500, 24_500)).toEqual(['active']);
});

// 31 changes while every silent path was made active, 15 since.
test('a silent path outside the set is not added and removed repeatedly', () => {
  const events = [15, 19, 23, 27].flatMap((s) => [
    wifi('blackhole', s * 1000),
    wifi('up', s * 1000 + 900),
  ]);
  const played = play({ paths, events, durationMs: 40_000 });
  expect(wanted(played, 'lte', 12_000, 40_000).length).toBeLessThan(20);
});

// 26 s before: the new connection sent its handshake over the first path.
test('no request is given up while the first path carries nothing, however long that is', () => {
  const lteRate = (rateBps: number, atMs: number): TimelineEvent => ({
    kind: 'link-change',
    link: 'lte',
    ba: { rateBps },
    atMs,
  });
  const events = [wifi('blackhole', 13_000), lteRate(900e3, 30_000), wifi('up', 60_000)];
  const both = [wifiPath, { id: 'lte', rateBps: 5e6, delayMs: 35 }];
  const { summary } = play({ paths: both, events, durationMs: 60_000 });
  expect(summary.stalls.totalMs).toBeLessThan(12_000);
});

// 18 s before: the smaller request began on a new connection, whose handshake waited in Wi-Fi's queue.
test('no request is given up over MPTCP while the default route fades and the other link is away', () => {
  const fade = [2500, 1500, 750, 400, 200, 50].map((kbps, i): TimelineEvent => ({
    kind: 'link-change',
    link: 'wifi',
    ba: { rateBps: kbps * 1000 },
    atMs: 12_000 + i * 1000,
  }));
  const lte = (state: 'down' | 'up', atMs: number): TimelineEvent => ({
    kind: 'link-state',
    link: 'lte',
    ...{ state, atMs },
  });
  const { summary } = play({
    paths: [wifiPath, { id: 'lte', rateBps: 5e6, delayMs: 35 }],
    events: [...fade, lte('down', 24_000), lte('up', 28_000)],
    durationMs: 50_000,
  });
  expect(summary.stalls.totalMs).toBeLessThan(2000);
});
