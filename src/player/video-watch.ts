import type { Clock } from '../ports';
import { every } from './browser-clock';
import { initialStallState, observeElement, stallTotals, type StallState } from './stall-machine';

export interface VideoWatchEvents {
  onFirstFrame: (atMs: number) => void;
  onStallStart: (atMs: number) => void;
  onStallEnd: (atMs: number, durationMs: number) => void;
  onEnded: () => void;
}

/** How often the element is looked at while it stands still; a stall's end is known to this. */
const STALLED_LOOK_MS = 20;
const LOOK_MS = 250;

const WATCHED_EVENTS = [
  'waiting',
  'playing',
  'pause',
  'play',
  'seeking',
  'seeked',
  'timeupdate',
  'ended',
  'emptied',
] as const;

/** Watches a media element: first frame, stalls, frame counts. Independent of dash.js. */
export class VideoWatch {
  readonly #video: HTMLVideoElement;
  readonly #clock: Clock;
  readonly #events: VideoWatchEvents;
  #stalls: StallState = initialStallState;
  #frameHandle: number | undefined;
  #firstFrameSeen = false;
  #stopTimer: () => void;
  #stopStallTimer: (() => void) | undefined;
  readonly #onEvent = (event: Event): void => {
    this.#look();
    if (event.type === 'timeupdate' || event.type === 'playing') this.#maybeFirstFrame();
    if (event.type === 'ended') this.#events.onEnded();
  };

  constructor(video: HTMLVideoElement, clock: Clock, events: VideoWatchEvents) {
    this.#video = video;
    this.#clock = clock;
    this.#events = events;
    for (const type of WATCHED_EVENTS) video.addEventListener(type, this.#onEvent);
    if (hasFrameCallback()) {
      this.#frameHandle = video.requestVideoFrameCallback(() => this.#firstFrame());
    }
    this.#stopTimer = every(clock, LOOK_MS, () => this.#look());
  }

  stalls(): { count: number; totalMs: number } {
    return stallTotals(this.#stalls, this.#clock.nowMs());
  }

  /** Playing as the viewer sees it: moving, not merely allowed to. */
  get playing(): boolean {
    const video = this.#video;
    return (
      !video.paused &&
      !video.ended &&
      !video.seeking &&
      video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA &&
      this.#stalls.stall === undefined
    );
  }

  frames(): { decoded: number; dropped: number } {
    const quality = this.#video.getVideoPlaybackQuality();
    return { decoded: quality.totalVideoFrames, dropped: quality.droppedVideoFrames };
  }

  /** Ends a running stall and stops watching. */
  stop(): void {
    const stall = this.#stalls.stall;
    if (stall?.told === true) {
      const nowMs = this.#clock.nowMs();
      this.#events.onStallEnd(nowMs, Math.max(0, nowMs - stall.sinceMs));
    }
    for (const type of WATCHED_EVENTS) this.#video.removeEventListener(type, this.#onEvent);
    if (this.#frameHandle !== undefined) this.#video.cancelVideoFrameCallback(this.#frameHandle);
    this.#stopTimer();
    this.#stopStallTimer?.();
  }

  #look(): void {
    const video = this.#video;
    const { state, change } = observeElement(this.#stalls, {
      nowMs: this.#clock.nowMs(),
      positionMs: video.currentTime * 1000,
      readyState: video.readyState,
      paused: video.paused,
      seeking: video.seeking,
      ended: video.ended,
    });
    this.#stalls = state;
    if (state.stall) {
      this.#stopStallTimer ??= every(this.#clock, STALLED_LOOK_MS, () => this.#look());
    } else {
      this.#stopStallTimer?.();
      this.#stopStallTimer = undefined;
    }
    if (change?.phase === 'start') this.#events.onStallStart(change.atMs);
    else if (change) this.#events.onStallEnd(change.atMs, change.durationMs);
  }

  #maybeFirstFrame(): void {
    if (hasFrameCallback()) return;
    if (this.#video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) this.#firstFrame();
  }

  #firstFrame(): void {
    if (this.#firstFrameSeen) return;
    this.#firstFrameSeen = true;
    this.#frameHandle = undefined;
    this.#events.onFirstFrame(this.#clock.nowMs());
  }
}

/** Missing in Firefox before 132, where the first movement has to do. */
function hasFrameCallback(): boolean {
  return 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
}
