import { describe, expect, it } from 'vitest';
import { DEMO_LADDER, DEMO_SEGMENT_SECONDS } from '../../scenario';
import { progressSeconds } from './cache';
import { UNIT_SECONDS } from './ladder-plan';

describe('demo ladder', () => {
  it('rises from about 0.3 to 6 Mbit/s in at least six steps', () => {
    const rates = DEMO_LADDER.map((rung) => rung.bitrateBps);
    expect(rates.length).toBeGreaterThanOrEqual(6);
    expect(rates).toEqual([...rates].sort((a, b) => a - b));
    expect([rates[0], rates.at(-1)]).toEqual([300_000, 6_000_000]);
  });

  it('gives every rung its own frame size, so that the picture shows the rung', () => {
    expect(new Set(DEMO_LADDER.map((rung) => rung.height)).size).toBe(DEMO_LADDER.length);
  });

  it('repeats whole segments', () => {
    expect(UNIT_SECONDS % DEMO_SEGMENT_SECONDS).toBe(0);
  });
});

describe('progressSeconds', () => {
  it('takes the newest position of a piece of output', () => {
    expect(
      progressSeconds('frame=1\nout_time_us=40000\nx=1\nout_time_us=2500000\nprogress=continue\n'),
    ).toBe(2.5);
  });

  it('returns undefined while ffmpeg reports no position', () => {
    expect(progressSeconds('out_time_us=N/A\nprogress=continue\n')).toBeUndefined();
  });
});
