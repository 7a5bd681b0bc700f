import { DEMO_AUDIO_BPS, DEMO_LADDER, DEMO_SEGMENT_SECONDS } from './demo-ladder';
import type { MediaSizes } from './run';
import { segmentBytes } from './segment-sizes';
import type { MediaSpec } from './types';

/**
 * Segment sizes of media that have not been made, for players without pictures. For a ladder: the sizes the
 * lab pads its segments to. For the demo: its rates, which its encoding keeps in every segment.
 * @param durationMs minimum duration of the film
 * @throws RangeError for a folder, whose sizes are only in its files, and for live media, which only the lab plays
 */
export function mediaSizes(media: MediaSpec, durationMs: number): MediaSizes {
  if (media.kind === 'folder') {
    throw new RangeError(
      `media: the sizes of the folder ${media.dir} are not known here: take a ladder`,
    );
  }
  if (media.kind === 'ladder' && media.live !== undefined) {
    throw new RangeError('media.live: the simulator has no live streams: play it in the lab');
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
