import { expect } from 'vitest';
import { bitratesBps, play, type TestPlay, type TestResult } from './play';

const paths = [
  { id: 'wifi', rateBps: 5e6, delayMs: 15 },
  { id: 'lte', rateBps: 2e6, delayMs: 40 },
];

/** A session over both paths. */
export const played = (more: Partial<TestPlay>): TestResult =>
  play({ paths, durationMs: 26_000, ...more });
/** The same without a disturbance. */
export const undisturbed = played({});

/** Invariants of every session, whatever the brain's inputs. */
export function expectSane({ decisions, summary }: TestResult, rungs = bitratesBps.length): void {
  for (const { rungs: chosen, abandon, forecast, paths: desired } of decisions) {
    for (const rung of [chosen.video, abandon?.toRung]) {
      if (rung !== undefined) expect([...Array(rungs).keys()]).toContain(rung);
    }
    expect(Number.isFinite(forecast.rateBps) && Number.isFinite(forecast.confidence)).toBe(true);
    expect(forecast.safeRateBps).toBeLessThanOrEqual(forecast.rateBps);
    if (desired.length > 0) {
      expect(desired.map(({ desired: state }) => state)).toContain('active');
    }
  }
  expect(summary.stalls.count).toBe(0);
}
