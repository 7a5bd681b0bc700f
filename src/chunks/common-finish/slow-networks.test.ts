import { expect, test } from 'vitest';
import { createChunkScheduler } from '../registry';
import { actionsOf } from '../testing/timed-actions';
import { runWorld, steady, type WorldNetwork, type WorldObject } from '../testing/world';

const scheduler = createChunkScheduler('common-finish');

/** A network whose rate changes once. */
const changing = (
  networkId: string,
  rttMs: number,
  [beforeBps, afterBps]: readonly [number, number],
  atMs: number,
): WorldNetwork => ({
  networkId,
  rttMs,
  phases: [
    { fromMs: 0, rateBps: beforeBps, isUp: true },
    { fromMs: atMs, rateBps: afterBps, isUp: true },
  ],
});

const objectsOf = (count: number, bytes: number, everyMs = 0): WorldObject[] =>
  Array.from({ length: count }, (_, index) => ({
    objectId: `o${index}`,
    bytes,
    atMs: everyMs * index,
    ...(everyMs > 0 ? { neededInMs: 3000 } : {}),
  }));

test.each([64_000, 100_000, 150_000])('a silent network of %i bit/s fades', (rateBps) => {
  const slow = changing('wifi', 60, [rateBps, 0], 8000);
  const timed = actionsOf({
    networks: [slow, steady('lte', 2e6, 60)],
    objects: objectsOf(40, 200_000),
    untilMs: 12_000,
  });
  // Faded networks are asked again by probes alone.
  const afterwards = timed.flatMap(({ nowMs, action }) =>
    nowMs > 10_500 && action.kind === 'fetch' && action.networkId === 'wifi' ? action.purpose : [],
  );
  expect(afterwards.length).toBeGreaterThan(0);
  expect(new Set(afterwards)).toEqual(new Set(['probe']));
});

test('two networks that trickle do not bar the third', () => {
  const [wifi, lte] = [
    changing('wifi', 30, [4e6, 20e3], 2000),
    changing('lte', 30, [4e6, 20e3], 2200),
  ];
  const objects = objectsOf(8, 750_000, 600);
  const networks = [wifi, lte, steady('sat', 4e6, 30)];
  const { doneMs } = runWorld({ scheduler, networks, objects, untilMs: 60_000 });
  // 6 MB over 4 Mbit/s take 12 s, less what came before the fades.
  for (const objectId of ['o4', 'o5', 'o6', 'o7']) {
    expect(doneMs.get(objectId), objectId).toBeLessThan(12_000);
  }
});

test('a long path first helps the object that playback waits for', () => {
  const objects = [
    { objectId: 'warm', bytes: 1_000_000, atMs: 0, neededInMs: 1000 },
    { objectId: 'now', bytes: 962_500, atMs: 0, neededInMs: 1500 },
    { objectId: 'next', bytes: 3_000_000, atMs: 800, neededInMs: 6000 },
    { objectId: 'later', bytes: 3_000_000, atMs: 800, neededInMs: 10_000 },
  ];
  const networks = [changing('lte', 50, [3e6, 100e3], 1000), steady('far', 8e6, 80)];
  const { doneMs } = runWorld({ scheduler, networks, objects, untilMs: 40_000 });
  expect(doneMs.get('now')).toBeLessThan(doneMs.get('next') ?? 0);
});

test.each([1, 2, 3])('%i objects that their server holds back stop no others', (count) => {
  const segments = objectsOf(6, 300_000, 2000);
  const held = Array.from({ length: count }, (_, index) => ({
    objectId: `held ${index}`,
    bytes: 3000,
    atMs: 3000,
    answerMs: 60_000,
    ranges: false,
  }));
  const networks = [steady('wifi', 8e6, 20), steady('lte', 8e6, 40)];
  const objects = [...segments, ...held].sort((one, other) => one.atMs - other.atMs);
  const { doneMs } = runWorld({ scheduler, networks, objects, untilMs: 30_000 });
  const tookMs = segments.map(({ objectId, atMs }) => (doneMs.get(objectId) ?? Infinity) - atMs);
  // The first one finds out that the networks are well.
  expect(tookMs[2]).toBeLessThan(5000);
  for (const ms of tookMs.slice(3)) expect(ms).toBeLessThan(1000);
});

test('an answer that takes four seconds comes beside other objects', () => {
  const segments = objectsOf(8, 300_000, 500);
  const slow = { objectId: 'slow', bytes: 3000, atMs: 1000, answerMs: 4000, ranges: false };
  const objects = [...segments, slow].sort((one, other) => one.atMs - other.atMs);
  const networks = [steady('wifi', 8e6, 20), steady('lte', 8e6, 40)];
  const { doneMs } = runWorld({ scheduler, networks, objects, untilMs: 30_000 });
  expect(doneMs.get('slow')).toBeLessThan(7000);
});
