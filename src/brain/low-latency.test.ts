import { describe, expect, test } from 'vitest';
import { bitratesBps, playLowLatency } from './testing/low-latency';

/** A chunk that is later than the buffer of 3 s minus its own 250 ms stops the picture. */
const STALL_MS = 2750;

describe('low latency', () => {
  test.each([2.5e6, 4e6, 8e6, 20e6])(
    'reaches a third of a link of %d bit/s within ten segments, although the encoder sets the pace',
    (rateBps) => {
      const { rungs, lateMs } = playLowLatency(() => rateBps, 20);
      const settled = rungs.slice(10).map((rung) => bitratesBps[rung] ?? 0);
      const top = bitratesBps.at(-1) ?? 0;
      expect(Math.min(...settled)).toBeGreaterThanOrEqual(Math.min(top, rateBps / 3));
      expect(Math.max(...settled)).toBeLessThanOrEqual(rateBps);
      expect(Math.max(...lateMs)).toBeLessThan(STALL_MS);
    },
  );

  test('climbs without a step down on a steady link', () => {
    for (const rateBps of [1.5e6, 2.5e6, 4e6, 5e6, 8e6, 20e6]) {
      const { rungs } = playLowLatency(() => rateBps, 20);
      expect(rungs).toEqual([...rungs].sort((a, b) => a - b));
    }
  });

  test('is below the rate two segments after a drop, and stays there', () => {
    const dropAt = 10;
    const { rungs } = playLowLatency((segment) => (segment < dropAt ? 5e6 : 1.2e6), 24);
    expect(bitratesBps[rungs[dropAt - 1] ?? 0]).toBeGreaterThan(1.2e6);
    for (const rung of rungs.slice(dropAt + 2)) {
      expect(bitratesBps[rung]).toBeLessThanOrEqual(1.2e6);
    }
  });
});
