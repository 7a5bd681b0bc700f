import { expect, test } from 'vitest';
import { createBrain } from '.';
import type { PathTrack } from '../estimate';
import { forecastForPlan } from './forecast';
import type { PathHealthState, PathHealth } from './path-health';
import type { BrainState } from './state';
import { measuredTrack } from './testing/track';
import type { BrainConfig, BrainObservation } from './types';

const NOW_MS = 10_000;

/** Two paths that should both carry the stream. */
function brain(config: Partial<BrainConfig>, wifi: Partial<PathTrack> = {}): BrainState {
  const state = createBrain({ policy: 'model', abr: 'multipath', ...config });
  const paths = new Map([
    ['lte', measuredTrack(3e6, NOW_MS)],
    ['wifi', measuredTrack(4e6, NOW_MS, wifi)],
  ]);
  const { estimator } = state;
  return {
    ...state,
    estimator: { ...estimator, paths, ledger: { ...estimator.ledger, lastMs: NOW_MS } },
    plan: {
      desired: ['lte', 'wifi'].map((pathId) => ({ pathId, desired: 'active' as const })),
      reason: '',
    },
  };
}

const observation: BrainObservation = {
  monotonicMs: NOW_MS,
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

test('a costly path’s help is not spent on quality, unless the viewer pinned another policy', () => {
  const networks = [{ network: 'lte', metered: true }];
  expect(rates(brain({ policy: 'metered', networks })).rateBps).toBe(4e6);
  expect(rates(brain({ policy: 'metered' })).rateBps).toBeGreaterThan(6e6);
  expect(rates(brain({ policy: 'model', networks })).rateBps).toBeGreaterThan(6e6);
});

test('a suspect path counts, a stale one does not', () => {
  const known = (state: PathHealthState): PathHealth[] => [
    { ...({} as PathHealth), pathId: 'wifi', state },
  ];
  const both = rates(brain({}));
  expect(rates({ ...brain({}), health: known('suspect') })).toEqual(both);
  expect(rates({ ...brain({}), health: known('stale') }).rateBps).toBe(3e6);
});
