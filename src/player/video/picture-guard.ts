import type { Clock } from '../../ports';
import { every } from './browser-clock';
import { holdSound } from './hold-sound';
import { initialFrozenPicture, observePicture } from './frozen-picture';
import type { NewEvent } from '../session/session';

/** Interval of observations; `frozen-picture` needs four for a steady picture. Chosen; no measurement. */
const LOOK_MS = 500;
/** Audio often outlasts the video. Chosen; no measurement. */
const TAIL_SECONDS = 5;

/** Recovers a stuck decoder, and holds the sound while the picture is missing. @returns a function that stops both */
export function guardPicture(
  video: HTMLVideoElement,
  clock: Clock,
  emit: (event: NewEvent) => void,
): () => void {
  let state = initialFrozenPicture;
  const endHold = holdSound(video, clock);
  const stop = every(clock, LOOK_MS, () => {
    const { currentTime, duration, ended, paused, readyState, seeking, videoWidth } = video;
    // An embedder that freezes the picture sets the speed to 0.
    const plays = !paused && !ended && !seeking && video.playbackRate !== 0;
    const inTail = Number.isFinite(duration) && duration - currentTime < TAIL_SECONDS;
    const watched = videoWidth > 0 && !document.hidden && !inTail;
    const { state: next, jumpMs } = observePicture(state, {
      nowMs: clock.nowMs(),
      decoded: watched ? video.getVideoPlaybackQuality().totalVideoFrames : undefined,
      expected: plays && readyState >= HTMLMediaElement.HAVE_FUTURE_DATA,
    });
    state = next;
    if (jumpMs === undefined) return;
    emit({
      type: 'error',
      code: 'picture-frozen',
      message: `The picture froze at ${currentTime.toFixed(1)} s with buffered media. Playback jumps ${jumpMs} ms ahead.`,
      fatal: false,
    });
    video.currentTime = currentTime + jumpMs / 1000;
  });
  return () => {
    stop();
    endHold();
  };
}
