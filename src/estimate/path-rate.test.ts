import { expect, test } from 'vitest';
import { endRun, unknownRate } from './path-rate';

test('the head of an answer, a packet, neither bounds a rate nor confirms a bound', () => {
  const run = {
    startMs: 0,
    bytesEndMs: 46,
    awaitedMs: 0,
    onWayMs: 0,
    peak: undefined,
    waiting: undefined,
  };
  const head = { ...run, bytes: 435, moving: true, dry: false, silentMs: 0, counted: false };
  const bounded = { ...unknownRate, floorBps: 75_000, run: head };
  expect(endRun(bounded, 46)).toEqual({ ...bounded, run: undefined });
});
