import { describe, expect, it } from 'vitest';
import { actionsOf } from '../testing/timed-actions';
import { createChunkScheduler } from '../registry';
import { runWorld, steady } from '../testing/world';

/** A segment in play, and the next one announced before it has arrived. */
const objectsOf = (neededInMs: number | undefined) => [
  { objectId: 'warm', bytes: 4_000_000, atMs: 0 },
  {
    objectId: 'now',
    bytes: 1_200_000,
    atMs: 4200,
    ...(neededInMs === undefined ? {} : { neededInMs }),
  },
  { objectId: 'next', bytes: 3_000_000, atMs: 4400, neededInMs: 20_000 },
];
/** A long path: three requests overlap. */
const networks = [steady('lte', 8e6, 100)];
const UNTIL_MS = 12_000;

/** Begin of the first request for the next segment, and arrival of the present one. */
function timesWith(neededInMs: number | undefined): { nextMs: number; nowDoneMs: number } {
  const objects = objectsOf(neededInMs);
  const first = actionsOf({ networks, objects, untilMs: UNTIL_MS }).find(
    ({ action }) => action.kind === 'fetch' && action.objectId === 'next',
  );
  const scheduler = createChunkScheduler('common-finish');
  const { doneMs } = runWorld({ scheduler, networks, objects, untilMs: UNTIL_MS });
  return { nextMs: first?.nowMs ?? NaN, nowDoneMs: doneMs.get('now') ?? NaN };
}

describe('a segment that playback is about to wait for', () => {
  const urgent = timesWith(1200);
  const relaxed = timesWith(10_000);

  it('gets all of a network; the next one waits', () => {
    expect(urgent.nowDoneMs).toBeLessThan(relaxed.nowDoneMs - 50);
    expect(urgent.nextMs).toBeGreaterThan(relaxed.nextMs);
  });

  it('leaves no gap: the next one is requested before it has arrived', () => {
    expect(urgent.nextMs).toBeLessThan(urgent.nowDoneMs);
  });

  it.each([
    ['its server holds it back', { answerMs: 60_000 }],
    ['its length is unknown', { isLengthKnown: false, answerMs: 60_000 }],
  ])('does not stop the next one where %s', (_, how) => {
    const objects = objectsOf(1200).map((object) =>
      object.objectId === 'now' ? { ...object, ...how } : object,
    );
    const two = [...networks, steady('wifi', 8e6, 100)];
    const scheduler = createChunkScheduler('common-finish');
    const { doneMs } = runWorld({ scheduler, networks: two, objects, untilMs: UNTIL_MS });
    expect(doneMs.get('next')).toBeLessThan(8000);
  });

  it('does not stop the audio of the same time', () => {
    const audio = { objectId: 'audio', bytes: 40_000, atMs: 5060, neededInMs: 340 };
    const [warm, now, next] = objectsOf(1200);
    const objects = [warm, now, audio, next].filter((one) => one !== undefined);
    const asked = actionsOf({ networks, objects, untilMs: UNTIL_MS }).find(
      ({ action }) => action.kind === 'fetch' && action.objectId === 'audio',
    );
    expect(asked?.nowMs).toBeLessThan(urgent.nextMs - 200);
  });

  it('changes nothing where no time is known', () => {
    expect(timesWith(undefined)).toEqual(relaxed);
  });
});
