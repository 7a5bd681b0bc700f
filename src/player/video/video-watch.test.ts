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

it('decoded frames that are still to be shown are no freeze', () => {
  page.hidden = false;
  let frame: (() => void) | undefined;
  const quality = { totalVideoFrames: 0, droppedVideoFrames: 0 };
  const video = Object.assign(new EventTarget(), {
    ...{ currentTime: 0, duration: 3600, videoWidth: 1280, readyState: 4 },
    ...{ paused: false, seeking: false, ended: false },
    getVideoPlaybackQuality: () => quality,
    requestVideoFrameCallback: (callback: () => void) => {
      frame = callback;
      return 1;
    },
    cancelVideoFrameCallback: () => (frame = undefined),
  });
  const stalls: [number, number][] = [];
  let nowMs = 0;
  const clock: Clock = { nowMs: () => nowMs, after: () => () => undefined };
  const none = (): void => undefined;
  const watch = new VideoWatch(video as unknown as HTMLVideoElement, clock, {
    ...{ onStallStart: none, onEnded: none, onFirstFrame: none },
    onStallEnd: (atMs, durationMs) => stalls.push([atMs, durationMs]),
  });
  // Twelve frames a second, four decoded ahead. The decoder has nothing from `from` to `to`, the screen four frames later.
  const play = (untilMs: number, from: number, to: number): void => {
    for (; nowMs <= untilMs; nowMs += 100) {
      video.currentTime = nowMs / 1000;
      if (nowMs < from || nowMs > to) quality.totalVideoFrames = Math.floor(nowMs / 83) + 4;
      if (nowMs < from + 333 || nowMs > to) frame?.();
      video.dispatchEvent(new Event('timeupdate'));
    }
  };
  play(3000, 1000, 1700);
  expect(stalls).toEqual([]);
  play(6000, 4000, 5200);
  expect(stalls).toEqual([[5300, 1000]]);
  watch.stop();
  expect(frame).toBeUndefined();
});
