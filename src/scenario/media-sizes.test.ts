import { describe, expect, it } from 'vitest';
import { mediaSizes } from './media-sizes';

describe('mediaSizes', () => {
  it('covers the film with segments of each rung, audio at its rate', () => {
    const media = {
      kind: 'ladder',
      videoBps: [500_000, 1_000_000],
      audioBps: [64_000],
      segmentMs: 4000,
      pictures: 'small',
      sizes: 'vbr',
    } as const;
    const { video, audio, segmentMs } = mediaSizes(media, 121_000);
    expect(segmentMs).toBe(4000);
    expect(video.map(({ bytes }) => bytes.length)).toEqual([31, 31]);
    const block = video[1]?.bytes.slice(0, 30) ?? [];
    expect(new Set(block).size).toBeGreaterThan(20);
    expect(block.reduce((a, b) => a + b) / 30).toBeCloseTo(500_000, -2);
    expect(audio[0]?.bytes[0]).toBe(32_000);
  });

  it('has the demo’s sizes, and refuses media whose sizes are only in files', () => {
    const { video } = mediaSizes({ kind: 'demo' }, 10_000);
    expect(video.map(({ bytes }) => bytes[0])).toEqual(
      [300, 600, 1000, 1800, 3000, 4500, 6000].map((kbps) => kbps * 250),
    );
    const live = { latencyMs: 3000 };
    const ladder = {
      kind: 'ladder',
      videoBps: [1e6],
      audioBps: [],
      segmentMs: 1000,
      live,
    } as const;
    expect(() => mediaSizes(ladder, 1)).toThrow('no live streams');
    expect(() => mediaSizes({ kind: 'folder', dir: '/films', mpd: 'a.mpd' }, 1)).toThrow('/films');
  });
});
