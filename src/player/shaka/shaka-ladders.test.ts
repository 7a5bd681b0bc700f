import { describe, expect, it } from 'vitest';
import { laddersOf, type ShakaVariant } from './shaka-ladders';

const variant = (video: number, audio: number): ShakaVariant => ({
  videoId: video,
  originalVideoId: `v${video}`,
  videoBandwidth: video * 1000,
  videoCodec: 'avc1.64001e',
  width: 640,
  height: 360,
  audioId: audio,
  originalAudioId: `a${audio}`,
  audioBandwidth: audio * 1000,
  audioCodec: 'mp4a.40.2',
});

describe('laddersOf', () => {
  it('splits variants into one ladder per media type, lowest rung first', () => {
    const ladders = laddersOf([variant(900, 64), variant(300, 64), variant(900, 128)]);
    const rungs = ladders.map(({ mediaType, rungs: all }) => [
      mediaType,
      ...all.map(({ index, representationId, bitrateBps }) => [
        index,
        representationId,
        bitrateBps,
      ]),
    ]);
    expect(rungs).toEqual([
      ['video', [0, 'v300', 300_000], [1, 'v900', 900_000]],
      ['audio', [0, 'a64', 64_000], [1, 'a128', 128_000]],
    ]);
  });

  it('leaves out a missing media type', () => {
    const mute = { ...variant(300, 0), audioId: null };
    expect(laddersOf([mute]).map((ladder) => ladder.mediaType)).toEqual(['video']);
  });
});
