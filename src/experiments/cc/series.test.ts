import { describe, expect, it } from 'vitest';
import type { CcOutcome } from './job';
import { outcomeOf, SAMPLE_MS } from './series';

/** An outcome whose goodput in Mbit/s is given by the time in seconds. */
function outcomeFrom(mbpsAt: (seconds: number) => number, durationMs = 10_000): CcOutcome {
  let bytes = 0;
  const receivedBytes = Array.from({ length: durationMs / SAMPLE_MS }, (_, index) => {
    // The middle of the period.
    const seconds = ((index + 0.5) * SAMPLE_MS) / 1000;
    return (bytes += (mbpsAt(seconds) * 1e6 * SAMPLE_MS) / 8e3);
  });
  const silent = { protocolMs: [], holMs: [], srttMs: [], paths: [] };
  return outcomeOf({ ...silent, receivedBytes, totalBytes: bytes, durationMs }, false);
}

describe('the course of throughput', () => {
  it('has the slope of a steady rise, without the first two seconds', () => {
    const rising = outcomeFrom((seconds) => (seconds < 2 ? 50 : 4 + 0.3 * seconds));
    expect(rising.goodputSlopeMbps).toBeCloseTo(0.3, 9);
  });

  it('has the variation of half seconds around their mean', () => {
    // 2 and 6 Mbit/s by turns: a deviation of 2 around 4, and sixteen half seconds.
    const unstable = outcomeFrom((seconds) => (Math.floor(seconds * 2) % 2 === 0 ? 2 : 6));
    expect(unstable.goodputVariation).toBeCloseTo((2 * Math.sqrt(16 / 15)) / 4, 9);
    const flat = outcomeFrom(() => 5);
    expect(flat.goodputVariation).toBeCloseTo(0, 9);
    expect(flat.goodputSlopeMbps).toBeCloseTo(0, 9);
  });

  it('is absent in a run that is too short for it', () => {
    expect(outcomeFrom(() => 5, 3000)).not.toHaveProperty('goodputSlopeMbps');
    expect(outcomeFrom(() => 0)).not.toHaveProperty('goodputVariation');
  });
});
