import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Clock } from '../../ports';
import { VideoWatch } from './video-watch';

const page = { hidden: false };
beforeEach(() => {
  vi.stubGlobal('HTMLMediaElement', { HAVE_FUTURE_DATA: 3 });
  vi.stubGlobal(
    'HTMLVideoElement',
    class {
      requestVideoFrameCallback(): number {
        return 1;
      }
    },
  );
  vi.stubGlobal('document', page);
});
afterEach(() => vi.unstubAllGlobals());

/** Times of the first frame that a watch reports while the position advances and no frame callback comes. */
function firstFrames(hidden: boolean): number[] {
  page.hidden = hidden;
  const video = Object.assign(new EventTarget(), {
    ...{ currentTime: 0, duration: 3600, videoWidth: 1280, readyState: 4 },
    ...{ paused: false, seeking: false, ended: false },
    getVideoPlaybackQuality: () => ({ totalVideoFrames: 1, droppedVideoFrames: 0 }),
    requestVideoFrameCallback: () => 1,
    cancelVideoFrameCallback: () => undefined,
  });
  const seen: number[] = [];
  let nowMs = 0;
  const clock: Clock = { nowMs: () => nowMs, after: () => () => undefined };
  const none = (): void => undefined;
  const events = { onStallStart: none, onStallEnd: none, onEnded: none };
  new VideoWatch(video as unknown as HTMLVideoElement, clock, {
    ...events,
    onFirstFrame: (atMs) => seen.push(atMs),
  });
  video.dispatchEvent(new Event('playing'));
  for (nowMs = 1000; nowMs <= 3000; nowMs += 250) {
    video.currentTime = (nowMs - 1000) / 1000;
    video.dispatchEvent(new Event('timeupdate'));
  }
  return seen;
}

it('a hidden page has begun once its position moves', () => {
  expect(firstFrames(true)).toEqual([1250]);
});

it('a visible page has begun with its first frame', () => {
  expect(firstFrames(false)).toEqual([]);
});
