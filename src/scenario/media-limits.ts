/** Limits of the media that the lab makes. */
import type { MediaSpec } from './types';

/** Longest playing time: the lab makes an hour, a minute of it to spare. */
export const MAX_MADE_MS = 59 * 60_000;

/** Bounds of a ladder that ffmpeg can make in reasonable time. Chosen; no measurement. */
export const MAX_RUNGS = 20;
/** Rates of video. */
export const LADDER_RATE = { min: '20kbit', max: '50mbit' };
export const AUDIO_RATE = { min: '20kbit', max: '1mbit' };

/** Frames per second; few are enough for small pictures. */
const FRAME_RATE = 25;
const SMALL_FRAME_RATE = 12;

export const frameRate = ({
  pictures,
}: Pick<Extract<MediaSpec, { kind: 'ladder' }>, 'pictures'>): number =>
  pictures === 'small' ? SMALL_FRAME_RATE : FRAME_RATE;

/** True if this time is a whole number of frames. */
export const isWholeFrames = (ms: number, framesPerSecond: number): boolean =>
  (ms * framesPerSecond) % 1000 === 0;
