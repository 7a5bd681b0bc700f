import { expect, it } from 'vitest';
import { traceLengthMs, traceSteps } from './trace-part';

const steps = [
  { durationMs: 1000, rateBps: 1e6 },
  { durationMs: 2000, rateBps: 2e6 },
  { durationMs: 500, rateBps: 0 },
];

it('goes on to the end of a repeated trace, and then with its beginning', () => {
  expect(traceSteps(steps, 1500, undefined)).toEqual([
    { durationMs: 1500, rateBps: 2e6 },
    { durationMs: 500, rateBps: 0 },
    { durationMs: 1000, rateBps: 1e6 },
    { durationMs: 500, rateBps: 2e6 },
  ]);
  expect(traceSteps(steps, 0, false)).toEqual(steps);
  expect(traceSteps(steps, 2 * traceLengthMs(steps), undefined)).toEqual(steps);
});

it('keeps the shortest steps in spite of rounding', () => {
  const short = Array.from({ length: 1000 }, (_, index) => ({ durationMs: 0.1, rateBps: index }));
  expect(traceSteps(short, 0, undefined)).toHaveLength(1000);
});

it('stays at the last step of a trace that plays once', () => {
  expect(traceSteps(steps, 2900, true)).toEqual([
    { durationMs: 100, rateBps: 2e6 },
    { durationMs: 500, rateBps: 0 },
  ]);
  expect(traceSteps(steps, 9000, true)).toEqual([{ durationMs: 500, rateBps: 0 }]);
});
