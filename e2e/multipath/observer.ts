import type { Page } from '@playwright/test';

export interface Freeze {
  startMs: number;
  endMs: number;
}

/** An independent view of the picture; nothing of it comes from the player's own code. */
export interface Observation {
  /** Heights of the displayed frames, one entry per change. */
  heights: number[];
  /** Times in which the position stood still although it should move, by the wall clock. */
  freezes: Freeze[];
  frames: number;
}

interface ObserverState {
  heights: number[];
  freezes: Freeze[];
  frames: number;
  frozenSinceMs: number | undefined;
}

declare global {
  interface Window {
    observerState?: ObserverState;
  }
}

/**
 * Watches the page's video: frame sizes by frame callback, freezes by the clock of the picture. Install it
 * before the page loads.
 */
export async function installObserver(page: Page): Promise<void> {
  await page.addInitScript(observe);
}

/** The same for a loaded page. */
export async function observeNow(page: Page): Promise<void> {
  await page.evaluate(observe);
}

function observe(): void {
  if (window.observerState !== undefined) return;
  const state: ObserverState = { heights: [], freezes: [], frames: 0, frozenSinceMs: undefined };
  window.observerState = state;
  const periodMs = 20;
  const watch = (video: HTMLVideoElement): void => {
    const onFrame = (_now: number, frame: VideoFrameCallbackMetadata): void => {
      state.frames += 1;
      if (state.heights.at(-1) !== frame.height) state.heights.push(frame.height);
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
    let lastSeconds = 0;
    setInterval(() => {
      const moves = video.currentTime !== lastSeconds;
      lastSeconds = video.currentTime;
      const wants = state.frames > 0 && !video.paused && !video.ended && !video.seeking;
      if (!moves && wants && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) {
        state.frozenSinceMs ??= Date.now();
      } else if (moves && state.frozenSinceMs !== undefined) {
        state.freezes.push({ startMs: state.frozenSinceMs, endMs: Date.now() });
        state.frozenSinceMs = undefined;
      }
    }, periodMs);
  };
  const search = setInterval(() => {
    const video = document.querySelector('video');
    if (video === null) return;
    clearInterval(search);
    watch(video);
  }, 5);
}

/** The observations so far. */
export async function observation(page: Page): Promise<Observation> {
  return page.evaluate(() => {
    const { heights, freezes, frames } = window.observerState ?? {
      heights: [],
      freezes: [],
      frames: 0,
    };
    return { heights, freezes, frames };
  });
}
