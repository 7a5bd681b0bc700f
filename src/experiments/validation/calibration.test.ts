import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core';
import type { LogEvent } from '../../session-log';
import { calibrationOf } from './calibration';

const FORECAST_BPS = 4e6;

/** A decision and the segment that followed it, at a multiple of the forecast rate. */
function segment(ratio: number, confidence = 1): LogEvent[] {
  const bytes = 500_000;
  const endMs = (bytes * 8000) / (FORECAST_BPS * ratio);
  const forecast = { rateBps: FORECAST_BPS, safeRateBps: FORECAST_BPS, confidence, paths: [] };
  return [
    { type: 'decision', kind: 'select', mediaType: 'video', forecast },
    { type: 'request', kind: 'media', mediaType: 'video', outcome: 'ok', bytes, startMs: 0, endMs },
  ] as unknown as LogEvent[];
}

describe('calibrationOf', () => {
  it('holds what the intervals say where errors are as wide as the spread that the planner learns', () => {
    const random = createRandom(1);
    const normal = (): number =>
      Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const events = Array.from({ length: 2000 }, () => segment(Math.exp(0.5 * normal()))).flat();
    const { forecasts, inside } = calibrationOf(events) ?? { forecasts: 0, inside: [] };
    expect(forecasts).toBe(2000);
    const shares = inside.map((count) => count / forecasts);
    for (const [index, share] of [0.5, 0.8, 0.95].entries()) {
      expect(Math.abs((shares[index] ?? 0) - share)).toBeLessThan(0.05);
    }
  });

  it('counts a rate far off as outside, and one that is met as inside', () => {
    expect(calibrationOf(segment(8))?.inside).toEqual([0, 0, 0]);
    expect(calibrationOf(segment(1))?.inside).toEqual([1, 1, 1]);
  });

  it('judges no bound, and nothing where nothing was forecast', () => {
    expect(calibrationOf(segment(8, 0.01))).toBeUndefined();
    expect(calibrationOf([])).toBeUndefined();
  });
});
