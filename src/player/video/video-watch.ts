import type { Clock } from '../../ports';
import { every } from './browser-clock';
import { sendMissedEnd } from './missed-end';
import { initialStallState, observeElement, stallTotals, type StallState } from './stall-machine';

export interface VideoWatchEvents {
  onFirstFrame: (atMs: number) => void;
  onStallStart: (atMs: number) => void;
  onStallEnd: (atMs: number, durationMs: number) => void;
  onEnded: () => void;
  /**
   * True if the element seeks because the player jumps a gap, which is no excuse for a stall; default never.
   */
  isOwnSeek?: () => boolean;
}

/**
 * Audio often outlasts the video, and a stream is not frozen because of that. Example: in the last 2 s only
 * the position counts.
 */
const TAIL_SECONDS = 2;
/** Interval of observations while the element stands still; it limits the precision of a stall's end. */
const STALLED_LOOK_MS = 20;
/** Interval of observations while the picture moves. It limits the precision of a stall's beginning. */
const LOOK_MS = 100;

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
  #shown = 0;
  readonly #stopMissedEnd: () => void;
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
    this.#stopMissedEnd = sendMissedEnd(video);
    this.#awaitFrame();
    this.#stopTimer = every(clock, LOOK_MS, () => this.#look());
  }

  stalls(): { count: number; totalMs: number } {
    return stallTotals(this.#stalls, this.#clock.nowMs());
  }

  /** True once a frame was shown, or audio alone has begun. */
  get hasPlayed(): boolean {
    return this.#firstFrameSeen;
  }

  /** True if playback moves, not merely is allowed to. */
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
    if (stall?.reported === true) {
      const nowMs = this.#clock.nowMs();
      this.#events.onStallEnd(nowMs, Math.max(0, nowMs - stall.sinceMs));
    }
    for (const type of WATCHED_EVENTS) this.#video.removeEventListener(type, this.#onEvent);
    if (this.#frameHandle !== undefined) this.#video.cancelVideoFrameCallback(this.#frameHandle);
    this.#stopMissedEnd();
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
      seeking: video.seeking && this.#events.isOwnSeek?.() !== true,
      ended: video.ended,
      frames: this.#framesToWatch(),
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

  /** Counts each shown frame. A hidden page shows none. */
  #awaitFrame(): void {
    if (!hasFrameCallback()) return;
    this.#frameHandle = this.#video.requestVideoFrameCallback(() => {
      this.#awaitFrame();
      this.#shown += 1;
      this.#firstFrame();
      this.#look();
    });
  }

  /** Frames decoded plus frames shown so far, if the page is visible and they can advance. */
  #framesToWatch(): number | undefined {
    const { duration, currentTime, videoWidth } = this.#video;
    const inTail = Number.isFinite(duration) && duration - currentTime < TAIL_SECONDS;
    if (videoWidth === 0 || inTail || document.hidden) return undefined;
    const { decoded, dropped } = this.frames();
    return decoded - dropped + this.#shown;
  }

  /** Audio alone has no frame, and a hidden page shows none: it has started when the position moves. */
  #maybeFirstFrame(): void {
    const { currentTime, readyState, videoWidth } = this.#video;
    if (hasFrameCallback() && ((videoWidth > 0 && !document.hidden) || currentTime === 0)) return;
    if (readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) this.#firstFrame();
  }

  #firstFrame(): void {
    if (this.#firstFrameSeen) return;
    this.#firstFrameSeen = true;
    this.#events.onFirstFrame(this.#clock.nowMs());
  }
}

/** Firefox before 132 lacks the callback. There the first movement counts as the first frame. */
function hasFrameCallback(): boolean {
  return 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
}
