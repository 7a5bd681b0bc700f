import { expect, test } from 'vitest';
import type { Forecast, Ladder } from '../core';
import { selectAudio } from './audio';

const ladder: Ladder = {
  mediaType: 'audio',
  rungs: [64e3, 128e3, 256e3, 320e3].map((bitrateBps, index) => ({
    index,
    bitrateBps,
    representationId: String(index),
  })),
};

const at = (rateBps: number): Forecast => ({
  rateBps,
  safeRateBps: rateBps,
  confidence: 1,
  basis: 'paths',
  paths: [],
});

test('audio takes a small share beside video, and the whole rate without it', () => {
  expect(selectAudio(ladder, 0, 20_000, at(1.5e6), false)).toBe(1);
  expect(selectAudio(ladder, 0, 20_000, at(1.5e6), true)).toBe(3);
  expect(selectAudio(ladder, 0, 20_000, at(350e3), true)).toBe(2);
});

test('keeps its rung at a rate that would not raise it, and goes down below that', () => {
  expect(selectAudio(ladder, 3, 20_000, at(350e3), true)).toBe(3);
  expect(selectAudio(ladder, 3, 20_000, at(300e3), true)).toBe(1);
  expect(selectAudio(ladder, 1, 20_000, at(1e6), false)).toBe(1);
  expect(selectAudio(ladder, 1, 20_000, at(0.7e6), false)).toBe(0);
});

test('rises only with some buffer, and starts without any', () => {
  expect(selectAudio(ladder, 1, 3000, at(2e6), true)).toBe(1);
  expect(selectAudio(ladder, -1, 0, at(2e6), true)).toBe(3);
});
