import { describe, expect, test } from 'vitest';
import {
  bitratesBps,
  playLowLatency,
  type LowLatencyPlay,
  type ModelledPath,
} from './testing/low-latency';

/** A chunk that is later than the buffer of 3 s minus its own 250 ms stops the picture. */
const STALL_MS = 2750;

const wifi = (rateBps: ModelledPath['rateBps']): ModelledPath => ({
  id: 'wifi',
  rateBps,
  oneWayMs: 20,
});
const lte = (rateBps: ModelledPath['rateBps']): ModelledPath => ({
  id: 'lte',
  rateBps,
  oneWayMs: 40,
});
const bitrates = (rungs: readonly number[]): number[] =>
  rungs.map((rung) => bitratesBps[rung] ?? 0);
const top = bitratesBps.at(-1) ?? 0;

describe.each(['mptcp', 'ranges'] as const)('low latency over %s', (carriage) => {
  const play = (paths: readonly ModelledPath[], segments: number): LowLatencyPlay =>
    playLowLatency(paths, segments, carriage);

  test.each([2.5e6, 4e6, 8e6, 20e6])(
    'reaches half of a link of %d bit/s within four segments, although the encoder sets the pace',
    (rateBps) => {
      const { rungs, lateMs } = play([wifi(() => rateBps)], 20);
      const settled = bitrates(rungs.slice(4));
      expect(Math.min(...settled)).toBeGreaterThanOrEqual(Math.min(top, rateBps / 2));
      expect(Math.max(...settled)).toBeLessThanOrEqual(rateBps);
      expect(Math.max(...lateMs)).toBeLessThan(STALL_MS);
    },
  );

  test.each([
    [4e6, 1e6],
    [2.5e6, 2.5e6],
    [8e6, 8e6],
  ])('reaches half of two paths of %d and %d bit/s, and keeps it', (first, second) => {
    const sumBps = first + second;
    const { rungs, lateMs, forecastsBps } = play([wifi(() => first), lte(() => second)], 24);
    expect(Math.min(...bitrates(rungs.slice(4)))).toBeGreaterThanOrEqual(Math.min(top, sumBps / 2));
    expect(Math.max(...lateMs)).toBeLessThan(STALL_MS);
    // While one path drains its queue the other one idles: that is no slow path, and no poor set.
    const settledBps = forecastsBps.slice(4);
    expect(Math.min(...settledBps)).toBeGreaterThan(0.7 * sumBps);
    expect(Math.max(...settledBps)).toBeLessThan(1.1 * sumBps);
  });

  test('climbs without a step down on a steady link', () => {
    for (const rateBps of [1.5e6, 2.5e6, 4e6, 5e6, 8e6, 20e6]) {
      const { rungs } = play([wifi(() => rateBps)], 20);
      expect(rungs).toEqual([...rungs].sort((a, b) => a - b));
    }
  });

  test('returns to half of its link within eight segments after a dip', () => {
    const rateBps = (segment: number): number => (segment < 8 || segment >= 14 ? 5e6 : 0.7e6);
    const { rungs } = play([wifi(rateBps)], 30);
    expect(Math.min(...bitrates(rungs.slice(22)))).toBeGreaterThanOrEqual(2.5e6);
  });

  test.each([
    ['its link', 1.2e6, (segment: number) => [wifi(() => (segment < 10 ? 5e6 : 1.2e6))]],
    [
      'one of two',
      2e6,
      (segment: number) => [wifi(() => (segment < 10 ? 4e6 : 1e6)), lte(() => 1e6)],
    ],
  ])('is below the rate two segments after a drop of %s, and stays there', (_, leftBps, at) => {
    const paths = at(0).map((path, index) => ({
      ...path,
      rateBps: (segment: number) => at(segment)[index]?.rateBps(segment) ?? 0,
    }));
    const { rungs } = play(paths, 24);
    expect(bitratesBps[rungs[9] ?? 0]).toBeGreaterThan(leftBps);
    for (const bitrateBps of bitrates(rungs.slice(12))) {
      expect(bitrateBps).toBeLessThanOrEqual(leftBps);
    }
  });
});
