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

  it('knows the demo, and refuses what only files tell', () => {
    const { video } = mediaSizes({ kind: 'demo' }, 10_000);
    expect(video.map(({ bytes }) => bytes[0])).toEqual(
      [300, 600, 1000, 1800, 3000, 4500, 6000].map((kbps) => kbps * 250),
    );
    expect(() => mediaSizes({ kind: 'folder', dir: '/films', mpd: 'a.mpd' }, 1)).toThrow('/films');
  });
});
