import { DEMO_AUDIO_BPS, DEMO_LADDER, DEMO_SEGMENT_SECONDS } from './demo-ladder';
import type { MediaSizes } from './run';
import { segmentBytes } from './segment-sizes';
import type { MediaSpec } from './types';

/**
 * The sizes of media that nobody has made, for whoever plays without pictures: of a ladder those the lab fills its
 * segments up to; of the demo its rates, which its encoding keeps in every segment.
 * @param durationMs of the film, at least
 * @throws RangeError for a folder, whose sizes only its files tell
 */
export function mediaSizes(media: MediaSpec, durationMs: number): MediaSizes {
  if (media.kind === 'folder') {
    throw new RangeError(
      `media: the sizes of the folder ${media.dir} are not known here: take a ladder`,
    );
  }
  const ladder =
    media.kind === 'ladder'
      ? media
      : {
          videoBps: DEMO_LADDER.map(({ bitrateBps }) => bitrateBps),
          audioBps: [DEMO_AUDIO_BPS],
          segmentMs: DEMO_SEGMENT_SECONDS * 1000,
          sizes: undefined,
        };
  const { videoBps, audioBps, segmentMs, sizes } = ladder;
  const count = Math.ceil(durationMs / segmentMs);
  return {
    segmentMs,
    video: videoBps.map((bitrateBps) => ({
      bitrateBps,
      bytes: segmentBytes(bitrateBps, segmentMs, count, sizes),
    })),
    audio: audioBps.map((bitrateBps) => ({
      bitrateBps,
      bytes: segmentBytes(bitrateBps, segmentMs, count),
    })),
  };
}
