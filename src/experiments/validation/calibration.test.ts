import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core';
import { chainConfig } from '../../abr';
import { calibrationOf, judgedForecasts } from './calibration';

describe('calibrationOf', () => {
  it('measures the nominal coverage if errors are distributed as the planner assumes', () => {
    const random = createRandom(1);
    const normal = (): number =>
      Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const forecasts = Array.from({ length: 4000 }, () => ({
      error: 0.3 * normal() * (random() < chainConfig.tailShare ? chainConfig.tailWidth : 1),
      spread: 0.3,
    }));
    const { inside = [] } = calibrationOf(forecasts) ?? {};
    const shares = inside.map((count) => count / forecasts.length);
    for (const [index, share] of [0.5, 0.8, 0.95].entries()) {
      expect(Math.abs((shares[index] ?? 0) - share)).toBeLessThan(0.03);
    }
  });

  it('counts a rate far off as outside, and one that is met as inside', () => {
    expect(calibrationOf([{ error: 3, spread: 0.3 }])?.inside).toEqual([0, 0, 0]);
    expect(calibrationOf([{ error: 0, spread: 0.3 }])?.inside).toEqual([1, 1, 1]);
    expect(calibrationOf([{ error: 0.01, spread: 0 }])?.inside).toEqual([1, 1, 1]);
  });

  it('is empty without a forecast', () => {
    expect(calibrationOf(judgedForecasts([]))).toBeUndefined();
  });
});
