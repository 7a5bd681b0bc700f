import { expect, test } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import { createBrain, stepBrain, type BrainObservation } from '.';
import type { CarriageKind } from '../core';

const observation: BrainObservation = {
  monotonicMs: 0,
  trigger: 'tick',
  ladders: [],
  currentRung: {},
  bufferMs: { video: 20_000 },
  bufferTargetMs: 30_000,
  playing: true,
  requests: [{ requestId: 1, mediaType: 'video', rung: 1, startMs: 2500, bytesLoaded: 100_000 }],
  segmentDurationMs: { video: 2000 },
  control: 'all',
};

/** The states wanted after Wi-Fi carried for 3 s and was then silent for 1.3 s. LTE costs, and is a backup. */
function wantedOver(carriage: CarriageKind): Record<string, string> {
  const networks = [{ network: 'lte', metered: true }];
  let state = createBrain({ policy: 'metered', abr: 'multipath', carriage, networks });
  for (let nowMs = 100; nowMs <= 4300; nowMs += 100) {
    const carriedMs = Math.min(nowMs, 3000);
    const wifi = subflow('wifi', carriedMs * 500, {
      lastDataRecvMs: nowMs - carriedMs,
      awaitedMs: nowMs - carriedMs,
    });
    const lte = subflow('lte', 0, { state: 'backup' });
    const samples = batch(nowMs, [connection([wifi, lte])]);
    ({ state } = stepBrain(state, { type: 'samples', batch: samples }));
    const asked = { ...observation, monotonicMs: nowMs };
    ({ state } = stepBrain(state, { type: 'decide', observation: asked }));
  }
  return Object.fromEntries(state.plan.desired.map(({ pathId, desired }) => [pathId, desired]));
}

test('over ranges a silent network stays: the scheduler repeats its bytes, and the costly one is not taken for good', () => {
  expect(wantedOver('mptcp')).toEqual({ wifi: 'closed', lte: 'active' });
  expect(wantedOver('ranges')).toEqual({ wifi: 'active', lte: 'backup' });
});
