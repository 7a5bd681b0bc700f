import { expect, test } from 'vitest';
import { createBrain } from '.';
import type { Forecast } from '../core';
import { addBound, addError, noErrors, uncertainty, uncertaintyConfig } from './uncertainty';

const path = { pathId: 'wifi', rateBps: 4e6, safeRateBps: 4e6, usable: true };
const forecast: Forecast = {
  rateBps: 4e6,
  safeRateBps: 4e6,
  confidence: 1,
  basis: 'paths',
  paths: [path],
};
const spreadAfter = (ratios: readonly number[], confidence = 1): number => {
  const errors = ratios.reduce((known, ratio) => addError(known, 4e6, 4e6 * ratio), noErrors);
  const state = { ...createBrain({ policy: 'model', abr: 'multipath' }), errors };
  return uncertainty(state, { ...forecast, confidence }, false).spread;
};

test('errors of both signs widen the spread, and good forecasts narrow it', () => {
  const { spread } = uncertaintyConfig;
  expect(spreadAfter([])).toBeCloseTo(spread, 9);
  expect(spreadAfter([2, 2, 2, 2])).toBeGreaterThan(spread);
  expect(spreadAfter([0.5, 0.5, 0.5, 0.5])).toBeCloseTo(spreadAfter([2, 2, 2, 2]), 9);
  expect(spreadAfter(Array<number>(20).fill(1))).toBeCloseTo(uncertaintyConfig.leastSpread, 9);
});

test('an unmeasured rate is unsure, and an impossible one no error', () => {
  expect(spreadAfter([], 0)).toBeGreaterThan(1);
  expect(addError(noErrors, 0, 1e6)).toEqual(noErrors);
  expect(addError(noErrors, NaN, 1e6)).toEqual(noErrors);
  expect(Number.isFinite(addError(noErrors, 1e-300, 1e300).sum)).toBe(true);
});

test('the chunks of a growing segment are a bound: the unknown is above it', () => {
  const state = createBrain({ policy: 'model', abr: 'multipath' });
  const unsure = { ...forecast, confidence: 0.2 };
  const burst = uncertainty(state, unsure, false);
  const chunks = uncertainty(state, unsure, true);
  expect(burst.spread).toBe(burst.rise);
  expect(chunks.rise).toBe(burst.rise);
  expect(chunks.spread).toBe(uncertainty(state, forecast, true).spread);
});

test('media that came as fast as it was encoded confirm a forecast up to their bound', () => {
  expect(addBound(noErrors, 4e6, 5e6)).toEqual(addError(noErrors, 4e6, 4e6));
  expect(addBound(noErrors, 4e6, 3e6)).toEqual(noErrors);
});

test('a suspect path may have failed', () => {
  const state = createBrain({ policy: 'model', abr: 'multipath' });
  const health = [{ pathId: 'wifi', state: 'suspect' as const }] as unknown as typeof state.health;
  expect(uncertainty({ ...state, health }, forecast, false).failureNow).toBeGreaterThan(
    uncertainty(state, forecast, false).failureNow,
  );
});
