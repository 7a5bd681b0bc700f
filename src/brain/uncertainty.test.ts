import { expect, test } from 'vitest';
import { createBrain } from '.';
import type { Forecast } from '../core';
import { addError, noErrors } from './forecast-errors';
import { uncertainty, uncertaintyConfig } from './uncertainty';

const whole = { growing: false, segmentMs: 2000 };
const growing = { growing: true, segmentMs: 2000 };

const path = { pathId: 'wifi', rateBps: 4e6, safeRateBps: 4e6, usable: true };
const forecast: Forecast = {
  rateBps: 4e6,
  safeRateBps: 4e6,
  confidence: 1,
  basis: 'paths',
  paths: [path],
};
const state = createBrain({ policy: 'model', abr: 'multipath' });

test('the spread follows the errors, down to a least one', () => {
  const after = (errors: readonly number[]): number =>
    uncertainty({ ...state, errors: errors.reduce(addError, noErrors) }, forecast, whole).spread;
  expect(after([1, 1, 1])).toBeGreaterThan(after([]));
  expect(after(Array<number>(40).fill(0))).toBe(uncertaintyConfig.minSpread);
});

test('a rate that was hardly measured is unsure, but changes no faster', () => {
  const sure = uncertainty(state, forecast, whole);
  const unsure = uncertainty(state, { ...forecast, confidence: 0.1 }, whole);
  expect(sure.rise).toBe(sure.spread);
  expect(unsure.spread).toBeGreaterThan(1.5 * sure.spread);
  expect(unsure.step).toBe(sure.step);
});

test('over byte ranges another path takes over sooner than over MPTCP', () => {
  const over = (carriage: 'mptcp' | 'ranges'): number =>
    uncertainty({ ...state, config: { ...state.config, carriage } }, forecast, whole).failureMs;
  expect(over('ranges')).toBeLessThanOrEqual(over('mptcp') / 2);
  expect(uncertainty(state, forecast, whole).failureMs).toBe(over('mptcp'));
});

test('the chunks of a growing segment are a bound: the unknown is above it', () => {
  const unsure = { ...forecast, confidence: 0.2 };
  const chunks = uncertainty(state, unsure, growing);
  expect(chunks.rise).toBe(uncertainty(state, unsure, whole).rise);
  expect(chunks.spread).toBe(uncertainty(state, forecast, growing).spread);
});

test('a suspect path may have failed', () => {
  const health = [{ pathId: 'wifi', state: 'suspect' as const }] as unknown as typeof state.health;
  expect(uncertainty({ ...state, health }, forecast, whole).failureNow).toBeGreaterThan(
    uncertainty(state, forecast, whole).failureNow,
  );
});

test('over MPTCP the failure of any path is felt, over byte ranges that of the best one', () => {
  const two = { ...forecast, paths: [path, { ...path, pathId: 'lte' }] };
  const later = (carriage: 'mptcp' | 'ranges', of: Forecast): number =>
    uncertainty({ ...state, config: { ...state.config, carriage } }, of, whole).failureLater;
  expect(later('mptcp', two)).toBe(2 * later('mptcp', forecast));
  expect(later('ranges', two)).toBe(later('ranges', forecast));
});
