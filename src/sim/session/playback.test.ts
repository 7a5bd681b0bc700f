import { expect, it } from 'vitest';
import { Simulation } from '../engine/simulation';
import { Playback } from './playback';

/** The stalls of a film of 2 s segments of which the second arrives so late. */
function stallsAfter(lateMs: number): string[] {
  const simulation = new Simulation(1);
  const stalls: string[] = [];
  const playback = new Playback(simulation, ['video'], 60_000, {
    onStart: () => undefined,
    onStall: (phase, atMs, durationMs) => {
      stalls.push(`${phase} at ${atMs}, ${durationMs} ms`);
    },
    onEnd: () => undefined,
  });
  playback.append('video', 2000);
  simulation.run((2000 + lateMs) * 1e6);
  playback.append('video', 4000);
  simulation.run(3500e6);
  expect(playback.positionMs).toBe(3500 - lateMs);
  return stalls;
}

it('a standstill below 100 ms is no stall, as with a real player', () => {
  expect(stallsAfter(0)).toEqual([]);
  expect(stallsAfter(99)).toEqual([]);
});

it('a longer one is a stall from its beginning', () => {
  expect(stallsAfter(100)).toEqual(['start at 2000, 0 ms', 'end at 2100, 100 ms']);
  expect(stallsAfter(700)).toEqual(['start at 2000, 0 ms', 'end at 2700, 700 ms']);
});
