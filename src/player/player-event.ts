import type { PerMedia } from '../abr';
import type { MediaType } from '../core';
import type { NewEvent } from './session';
import type { VideoWatch } from './video-watch';

/** The rungs on screen. */
export interface ShownRungs {
  /** -1 before the first frame. */
  rung: (mediaType: MediaType) => number;
  bitrateBps: (mediaType: MediaType) => number;
}

/** The lesser buffer of video and audio; 0 before the stream is known. */
export function leastBufferMs({ video, audio }: PerMedia<number>): number {
  const leastMs = Math.min(video ?? Infinity, audio ?? Infinity);
  return leastMs === Infinity ? 0 : leastMs;
}

/** The player's state as the log has it, four times a second. */
export function playerEvent(
  positionSeconds: number,
  bufferMs: PerMedia<number>,
  shown: ShownRungs,
  watch: Pick<VideoWatch, 'frames' | 'playing'> | undefined,
  liveLatencyMs?: number,
): NewEvent & { type: 'player' } {
  const { video, audio } = bufferMs;
  const frames = watch?.frames();
  return {
    type: 'player',
    positionMs: Math.max(0, positionSeconds * 1000),
    bufferMs: leastBufferMs(bufferMs),
    ...(video === undefined ? {} : { videoBufferMs: video }),
    ...(audio === undefined
      ? {}
      : { audioBufferMs: audio, audioBitrateBps: shown.bitrateBps('audio') }),
    playing: watch?.playing ?? false,
    rung: shown.rung('video'),
    bitrateBps: shown.bitrateBps('video'),
    ...(liveLatencyMs === undefined ? {} : { liveLatencyMs }),
    decodedFrames: frames?.decoded ?? 0,
    droppedFrames: frames?.dropped ?? 0,
  };
}
