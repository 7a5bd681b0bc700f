import { expect, test } from 'vitest';
import { createBrain } from '.';
import type { PathTrack } from '../paths';
import { forecastForPlan } from './forecast';
import type { BrainState } from './state';
import { measuredTrack } from './testing/track';
import type { BrainConfig, BrainObservation } from './types';

const nowMs = 10_000;

/** Two paths that are both to carry the stream. */
function brain(config: Partial<BrainConfig>, wifi: Partial<PathTrack> = {}): BrainState {
  const state = createBrain({ policy: 'model', abr: 'multipath', ...config });
  const paths = new Map([
    ['lte', measuredTrack(3e6, nowMs)],
    ['wifi', measuredTrack(4e6, nowMs, wifi)],
  ]);
  const { estimator } = state;
  return {
    ...state,
    estimator: { ...estimator, paths, ledger: { ...estimator.ledger, lastMs: nowMs } },
    plan: {
      desired: ['lte', 'wifi'].map((pathId) => ({ pathId, desired: 'active' as const })),
      reason: '',
    },
  };
}

const observation: BrainObservation = {
  monotonicMs: nowMs,
  trigger: 'segment',
  mediaType: 'video',
  ladders: [],
  currentRung: {},
  bufferMs: { video: 5000 },
  bufferTargetMs: 18_000,
  playing: true,
  requests: [],
  segmentDurationMs: { video: 2000 },
  control: 'all',
};
const rates = (state: BrainState): { rateBps: number; safeRateBps: number } =>
  forecastForPlan(state, observation);

test('what a costly path helps with is not spent on quality, unless the viewer pinned another policy', () => {
  const networks = [{ network: 'lte', metered: true }];
  expect(rates(brain({ policy: 'metered', networks })).rateBps).toBe(4e6);
  expect(rates(brain({ policy: 'metered' })).rateBps).toBeGreaterThan(6e6);
  expect(rates(brain({ policy: 'model', networks })).rateBps).toBeGreaterThan(6e6);
});

test('a path that was silent for a moment counts, safely for half', () => {
  const both = rates(brain({}));
  const silent = rates(brain({}, { quietMs: 1000 }));
  expect(silent.rateBps).toBe(both.rateBps);
  const halfOfWifi = (both.safeRateBps * 4) / 7 / 2;
  expect(silent.safeRateBps).toBeCloseTo(both.safeRateBps - halfOfWifi, -4);
});
