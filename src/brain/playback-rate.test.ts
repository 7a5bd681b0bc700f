import { expect, it } from 'vitest';
import { batch, connection, subflow } from '../core/testing/samples';
import type { Ladder } from '../core';
import { createBrain, stepBrain, type BrainObservation, type BrainState } from '.';

const ladder: Ladder = {
  mediaType: 'video',
  rungs: [0.5, 1, 2, 3, 4.5, 7].map((mbps, index) => ({
    index,
    representationId: String(index),
    bitrateBps: mbps * 1e6,
  })),
};

function observation(monotonicMs: number, more: Partial<BrainObservation> = {}): BrainObservation {
  return {
    monotonicMs,
    trigger: 'tick',
    ladders: [ladder],
    currentRung: { video: 2 },
    bufferMs: { video: 10_000 },
    bufferTargetMs: 20_000,
    playing: true,
    requests: [],
    segmentDurationMs: { video: 2000 },
    control: 'all',
    ...more,
  };
}

/** Takes a sample of the only path. */
const sampled = (state: BrainState, nowMs: number, bytes: number): BrainState =>
  stepBrain(state, {
    type: 'samples',
    batch: batch(nowMs, [connection([subflow('wifi', bytes)])]),
  }).state;

/** A brain that has measured this rate on one path for a while. */
function measured(mbps: number): { state: BrainState; nowMs: number; bytes: number } {
  let state = createBrain({ policy: 'all', abr: 'multipath', carriage: 'ranges' });
  let nowMs = 1000;
  let bytes = 0;
  state = stepBrain(state, {
    type: 'request-start',
    request: { requestId: 1, startMs: 1000, mediaType: 'video' },
  }).state;
  for (let i = 0; i < 300; i += 1) {
    bytes += (mbps * 1e6) / 80;
    nowMs += 100;
    state = sampled(state, nowMs, bytes);
  }
  state = stepBrain(state, {
    type: 'request-end',
    request: {
      requestId: 1,
      startMs: 1000,
      endMs: nowMs,
      bytes,
      outcome: 'ok',
      mediaType: 'video',
    },
  }).state;
  return { state, nowMs, bytes };
}

/** Plays 300 s of a film over a steady network. @returns the time stalled */
const play = (rate: number, mbps: number): number => {
  let { state, nowMs, bytes } = measured(mbps);
  let bufferMs = 10_000;
  let rung = 2;
  let stallMs = 0;
  for (let segment = 0; segment < 150; segment += 1) {
    while (bufferMs > 20_000) {
      bufferMs -= 100 * rate;
      nowMs += 100;
      state = sampled(state, nowMs, bytes);
    }
    const { state: after, decision } = stepBrain(state, {
      type: 'decide',
      observation: observation(nowMs, {
        trigger: 'segment',
        mediaType: 'video',
        currentRung: { video: rung },
        bufferMs: { video: bufferMs },
        playbackRate: rate,
      }),
    });
    state = after;
    rung = decision?.rungs.video ?? rung;
    const bps = ladder.rungs[rung]?.bitrateBps ?? 0;
    const loadMs = Math.round(((bps * 2) / (mbps * 1e6)) * 1000);
    const startMs = nowMs;
    const requestId = 100 + segment;
    state = stepBrain(state, {
      type: 'request-start',
      request: { requestId, startMs, mediaType: 'video' },
    }).state;
    for (let leftMs = loadMs; leftMs > 0; leftMs -= 100) {
      const ms = Math.min(100, leftMs);
      nowMs += ms;
      bytes += (mbps * 1e6 * ms) / 8e3;
      const drainMs = ms * rate;
      stallMs += Math.max(0, drainMs - bufferMs) / rate;
      bufferMs = Math.max(0, bufferMs - drainMs);
      state = sampled(state, nowMs, bytes);
    }
    bufferMs += 2000;
    state = stepBrain(state, {
      type: 'request-end',
      request: {
        requestId,
        startMs,
        endMs: nowMs,
        bytes: (bps * 2) / 8,
        outcome: 'ok',
        mediaType: 'video',
      },
    }).state;
  }
  return Math.round(stallMs);
};

it.each([2.5, 4, 5, 8])(
  'twice the speed does not stall on a steady network of %f Mbit/s',
  (mbps) => {
    // As a network of half the rate at the usual speed.
    expect(play(2, mbps)).toBeLessThan(play(1, mbps / 2) + 500);
  },
);
