import type { Clock } from '../../ports';
import { every } from './browser-clock';

/** Interval of observations. */
const LOOK_MS = 100;
/**
 * The sound may play on for so long without a picture, because viewers hardly notice a freeze below 300 ms. Chromium plays
 * it on for 3 s (`video_underflow_threshold`): the next segment is then over, or almost, when it arrives.
 */
const RUN_ON_SECONDS = 0.3;
/** Audio often outlasts the video. Chosen; no measurement. */
const TAIL_SECONDS = 2;

/**
 * Stops playback where the picture's media has run out and the sound's has not, and goes on when the next media arrives. The
 * speed is 0 meanwhile: a pause would be the viewer's. A film only; a live stream follows its edge.
 * @returns a function that ends it
 */
export function holdSound(video: HTMLVideoElement, clock: Clock): () => void {
  /** The speed before playback was stopped. */
  let speed: number | undefined;
  const goOn = (): void => {
    // Another speed than 0 is the viewer's choice, or another source's.
    if (speed !== undefined && video.playbackRate === 0) video.playbackRate = speed;
    speed = undefined;
  };
  const stop = every(clock, LOOK_MS, () => {
    const isDry = hasRunOut(video);
    if (speed !== undefined) {
      if (!isDry || video.playbackRate !== 0) goOn();
    } else if (isDry && !video.paused && !video.seeking && video.playbackRate !== 0) {
      speed = video.playbackRate;
      video.playbackRate = 0;
    }
  });
  return () => {
    stop();
    goOn();
  };
}

/**
 * True if all buffered media ends well before the position. The ranges are those that picture and sound share. Nobody sees
 * the picture of a hidden page.
 */
function hasRunOut({ buffered, currentTime, duration }: HTMLVideoElement): boolean {
  if (document.hidden || buffered.length === 0 || !(duration < Infinity)) return false;
  const end = buffered.end(buffered.length - 1);
  return currentTime - end > RUN_ON_SECONDS && duration - currentTime > TAIL_SECONDS;
}
