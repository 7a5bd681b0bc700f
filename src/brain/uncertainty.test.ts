import { expect, test } from 'vitest';
import { createBrain } from '.';
import type { Forecast } from '../core';
import { addError, noErrors } from './forecast-errors';
import { believedSpread, uncertainty } from './uncertainty';

const whole = [false, 2000] as const;
const growing = [true, 2000] as const;

const path = { pathId: 'wifi', rateBps: 4e6, safeRateBps: 4e6, usable: true };
const forecast: Forecast = {
  rateBps: 4e6,
  safeRateBps: 4e6,
  confidence: 1,
  basis: 'paths',
  paths: [path],
};
const state = createBrain({ policy: 'model', abr: 'multipath' });

test('the spread follows the errors, and the plan assumes more than the belief', () => {
  const after = (error: number) =>
    Array<number>(40)
      .fill(error)
      .reduce((sum, error) => addError(sum, error), noErrors);
  const planned = (error: number): number =>
    uncertainty({ ...state, errors: after(error) }, forecast, ...whole).spread;
  expect(planned(0.5)).toBeGreaterThan(planned(0.2));
  expect(planned(0)).toBeLessThan(0.01);
  expect(believedSpread(after(0.5), forecast)).toBeLessThan(planned(0.5));
  expect(believedSpread(after(0.5), forecast)).toBeGreaterThan(0.8 * planned(0.5));
  expect(believedSpread(noErrors, { ...forecast, confidence: 0.1 })).toBeGreaterThan(
    1.5 * believedSpread(noErrors, forecast),
  );
});

test('a rate that was hardly measured is unsure, but changes no faster', () => {
  const sure = uncertainty(state, forecast, ...whole);
  const unsure = uncertainty(state, { ...forecast, confidence: 0.1 }, ...whole);
  expect(sure.rise).toBe(sure.spread);
  expect(unsure.spread).toBeGreaterThan(1.5 * sure.spread);
  expect(unsure.step).toBe(sure.step);
});

test('over byte ranges another path takes over sooner than over MPTCP', () => {
  const over = (carriage: 'mptcp' | 'ranges'): number =>
    uncertainty({ ...state, config: { ...state.config, carriage } }, forecast, ...whole).failureMs;
  expect(over('ranges')).toBeLessThanOrEqual(over('mptcp') / 2);
  expect(uncertainty(state, forecast, ...whole).failureMs).toBe(over('mptcp'));
});

test('the chunks of a growing segment are a bound: the unknown is above it', () => {
  const unsure = { ...forecast, confidence: 0.2 };
  const chunks = uncertainty(state, unsure, ...growing);
  expect(chunks.rise).toBe(uncertainty(state, unsure, ...whole).rise);
  expect(chunks.spread).toBe(uncertainty(state, forecast, ...growing).spread);
});

test('a suspect path may have failed', () => {
  const health = [{ pathId: 'wifi', state: 'suspect' as const }] as unknown as typeof state.health;
  expect(uncertainty({ ...state, health }, forecast, ...whole).failureNow).toBeGreaterThan(
    uncertainty(state, forecast, ...whole).failureNow,
  );
});

test('over MPTCP the failure of any path is felt, over byte ranges that of the best one', () => {
  const two = { ...forecast, paths: [path, { ...path, pathId: 'lte' }] };
  const later = (carriage: 'mptcp' | 'ranges', of: Forecast): number =>
    uncertainty({ ...state, config: { ...state.config, carriage } }, of, ...whole).failureLater;
  expect(later('mptcp', two)).toBe(2 * later('mptcp', forecast));
  expect(later('ranges', two)).toBe(later('ranges', forecast));
});

test('a lost link that returned before is expected back, but not under the policy that spares costly networks', () => {
  const away = { pathId: 'lte', seenMs: 0, isAway: true };
  const links = [{ ...away, up: { ms: 9000, ended: 1 }, away: { ms: 4000, ended: 1 } }];
  const lost = { ...path, pathId: 'lte', rateBps: 2e6, usable: false };
  const seen = { ...forecast, paths: [path, lost] };
  const back = (policy: string) =>
    uncertainty({ ...state, links, config: { ...state.config, policy } }, seen, ...whole).back;
  expect(back('model')?.rateBps).toBe(2e6);
  expect(back('model')?.chance).toBeGreaterThan(0.1);
  expect(back('metered')).toBeUndefined();
});

test('a link that was lost often fails more often than others', () => {
  const known = { pathId: 'wifi', seenMs: 0, isAway: false, away: { ms: 4000, ended: 4 } };
  const links = [{ ...known, up: { ms: 20_000, ended: 4 } }];
  const usual = uncertainty(state, forecast, ...whole);
  expect(uncertainty({ ...state, links }, forecast, ...whole).failureLater).toBeGreaterThan(
    2 * usual.failureLater,
  );
});
