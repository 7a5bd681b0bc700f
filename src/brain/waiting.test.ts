import { expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { createBrain, stepBrain, type BrainObservation } from '.';

const SEGMENT_BYTES = 250_000;

const observation: BrainObservation = {
  monotonicMs: 0,
  trigger: 'tick',
  ladders: [
    { mediaType: 'video', rungs: [{ index: 0, representationId: 'v0', bitrateBps: 300e3 }] },
  ],
  currentRung: {},
  bufferMs: { video: 0 },
  bufferTargetMs: 30_000,
  playing: false,
  requests: [
    {
      requestId: 1,
      mediaType: 'video',
      rung: 0,
      startMs: 0,
      bytesLoaded: 0,
      bytesTotal: SEGMENT_BYTES,
    },
  ],
  segmentDurationMs: { video: 2000 },
  control: 'all',
};

/** The state wanted of the costly network each second, while Wi-Fi delivers `bytesPerMs`. */
function costly(bytesPerMs: number, seen: Partial<BrainObservation> = {}): string[] {
  const networks = [{ network: 'lte', metered: true }];
  let state = createBrain({ policy: 'metered', abr: 'multipath', networks });
  const wanted: string[] = [];
  for (let nowMs = 100; nowMs <= 4000; nowMs += 100) {
    const wifi = subflow('wifi', nowMs * bytesPerMs, { lastDataRecvMs: 0, awaitedMs: 0 });
    const lte = subflow('lte', 0, { state: 'backup' });
    const samples = batch(nowMs, [connection([wifi, lte])]);
    ({ state } = stepBrain(state, { type: 'samples', batch: samples }));
    const bytesLoaded = Math.min(SEGMENT_BYTES, nowMs * bytesPerMs);
    const requests = observation.requests.flatMap((one) =>
      bytesLoaded < SEGMENT_BYTES ? { ...one, bytesLoaded } : [],
    );
    const asked = { ...observation, requests, ...seen, monotonicMs: nowMs };
    ({ state } = stepBrain(state, { type: 'decide', observation: asked }));
    const lteNow = state.plan.desired.find(({ pathId }) => pathId === 'lte')?.desired ?? '';
    if (nowMs % 1000 === 0) wanted.push(lteNow);
  }
  return wanted;
}

test('a costly network helps a viewer who has waited too long for a picture, and a quick start needs none', () => {
  // 250 kB in 8 s; a picture is late after 2 to 3.5 s.
  const slow = costly(30);
  expect(slow[0]).toBe('backup');
  expect(slow.slice(2)).toEqual(['active', 'active']);
  // 250 kB in 300 ms.
  expect(new Set(costly(750))).toEqual(new Set(['backup']));
});

test('a paused player with media waits for nothing', () => {
  expect(new Set(costly(30, { bufferMs: { video: 8000 } }))).toEqual(new Set(['backup']));
  expect(new Set(costly(30, { requests: [] }))).toEqual(new Set(['backup']));
});
