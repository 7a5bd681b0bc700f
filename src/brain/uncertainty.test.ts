import { expect, test } from 'vitest';
import { createBrain } from '.';
import type { Forecast } from '../core';
import { addError, noErrors } from './forecast-errors';
import { uncertainty, uncertaintyConfig } from './uncertainty';

const path = { pathId: 'wifi', rateBps: 4e6, safeRateBps: 4e6, usable: true };
const forecast: Forecast = {
  rateBps: 4e6,
  safeRateBps: 4e6,
  confidence: 1,
  basis: 'paths',
  paths: [path],
};
const state = createBrain({ policy: 'model', abr: 'multipath' });
const film = { bufferTargetMs: 18_000 };
const live = { latencyMs: 3000, targetLatencyMs: 3000, availableMs: 500 };
const growing = { bufferTargetMs: 18_000, live: { ...live, unitMs: 500 } };

test('the spread follows the errors, down to a least one', () => {
  const after = (errors: readonly number[]): number =>
    uncertainty({ ...state, errors: errors.reduce(addError, noErrors) }, forecast, film).spread;
  expect(after([1, 1, 1])).toBeGreaterThan(after([]));
  expect(after(Array<number>(40).fill(0))).toBe(uncertaintyConfig.minSpread);
});

test('a rate that was hardly measured is unsure, but changes no faster', () => {
  const sure = uncertainty(state, forecast, film);
  const unsure = uncertainty(state, { ...forecast, confidence: 0.1 }, film);
  expect(sure.rise).toBe(sure.spread);
  expect(unsure.spread).toBeGreaterThan(1.5 * sure.spread);
  expect(unsure.step).toBe(sure.step);
});

test('over byte ranges another path takes over sooner than over MPTCP', () => {
  const over = (carriage: 'mptcp' | 'ranges'): number =>
    uncertainty({ ...state, config: { ...state.config, carriage } }, forecast, film).failureMs;
  expect(over('ranges')).toBeLessThanOrEqual(over('mptcp') / 2);
  expect(uncertainty(state, forecast, film).failureMs).toBe(over('mptcp'));
});

test('a stall costs its price over byte ranges, and more over MPTCP, where late segments follow each other', () => {
  const over = (carriage: 'mptcp' | 'ranges'): number =>
    uncertainty({ ...state, config: { ...state.config, carriage } }, forecast, film).stallWeight;
  expect(over('ranges')).toBe(1);
  expect(over('mptcp')).toBeGreaterThan(1);
});

test('a stall costs its price where there is too little buffer to avoid one', () => {
  const weight = (stream: Parameters<typeof uncertainty>[2]): number =>
    uncertainty(state, forecast, stream).stallWeight;
  expect(weight({ bufferTargetMs: 8000 })).toBe(1);
  expect(weight({ ...film, live })).toBe(1);
  expect(weight(growing)).toBe(1);
});

test('the chunks of a growing segment are a bound: the unknown is above it', () => {
  const unsure = { ...forecast, confidence: 0.2 };
  const chunks = uncertainty(state, unsure, growing);
  expect(chunks.rise).toBe(uncertainty(state, unsure, film).rise);
  expect(chunks.spread).toBe(uncertainty(state, forecast, growing).spread);
});

test('a suspect path may have failed', () => {
  const health = [{ pathId: 'wifi', state: 'suspect' as const }] as unknown as typeof state.health;
  expect(uncertainty({ ...state, health }, forecast, film).failureNow).toBeGreaterThan(
    uncertainty(state, forecast, film).failureNow,
  );
});

test('over MPTCP the failure of any path is felt, over byte ranges that of the best one', () => {
  const two = { ...forecast, paths: [path, { ...path, pathId: 'lte' }] };
  const later = (carriage: 'mptcp' | 'ranges', of: Forecast): number =>
    uncertainty({ ...state, config: { ...state.config, carriage } }, of, film).failureLater;
  expect(later('mptcp', two)).toBe(2 * later('mptcp', forecast));
  expect(later('ranges', two)).toBe(later('ranges', forecast));
});
