import { minBufferMs, type PerMedia } from '../../abr';
import type { MediaType } from '../../core';
import type { NewEvent } from './session';
import type { VideoWatch } from '../video/video-watch';

/** The rungs on screen. */
export interface ShownRungs {
  /** -1 before the first frame. */
  rung: (mediaType: MediaType) => number;
  bitrateBps: (mediaType: MediaType) => number;
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
    bufferMs: minBufferMs(bufferMs) ?? 0,
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
