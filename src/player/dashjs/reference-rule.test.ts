import { expect, it } from 'vitest';
import type { BrainObservation } from '../../brain';
import type { Forecast, Ladder, MediaType } from '../../core';
import { createReferenceRule } from './reference-rule';

const ladderOf = (mediaType: MediaType, bitratesBps: readonly number[]): Ladder => ({
  mediaType,
  rungs: bitratesBps.map((bitrateBps, index) => ({
    index,
    bitrateBps,
    representationId: String(index),
  })),
});
const video = ladderOf('video', [3e5, 1e6, 3e6, 6e6]);
const audio = ladderOf('audio', [64e3, 128e3]);
const forecast: Forecast = {
  rateBps: 0,
  safeRateBps: 0,
  confidence: 0,
  basis: 'requests',
  paths: [],
};

const observation: BrainObservation = {
  monotonicMs: 0,
  trigger: 'segment',
  ladders: [video, audio],
  currentRung: { video: 1, audio: 1 },
  bufferMs: { video: 8000, audio: 8000 },
  bufferTargetMs: 12_000,
  playing: true,
  requests: [],
  segmentDurationMs: { video: 2000, audio: 2000 },
  control: 'none',
};

function ruleWith(throughputBps: readonly number[]): (mediaType: MediaType) => number | undefined {
  const view = {
    observe: () => observation,
    offered: (type: MediaType) => (type === 'video' ? video : audio),
  };
  const history = { throughputBps };
  const select = createReferenceRule('robust-mpc', { view, history, forecast: () => forecast });
  return (mediaType) => select(mediaType)?.rung;
}

it('begins with the lowest rung and follows the measured throughput, not the forecast', () => {
  expect(ruleWith([])('video')).toBe(0);
  expect(ruleWith([8e6, 8e6, 8e6])('video')).toBe(3);
  expect(ruleWith([1.2e6, 1.2e6, 1.2e6])('video')).toBe(1);
});

it('takes the highest audio', () => {
  expect(ruleWith([])('audio')).toBe(1);
});
