import type { Corner } from '../core';

/** Tuning of rung selection. */
export interface SelectConfig {
  /**
   * Share of the planned rate a rung may need, by buffer level (ms). Little buffer: leave room for error. The
   * safe rate has its own margin already, so a few segments are enough to use all of it.
   * Example: 0.5 of 6 Mbit/s with an empty buffer allows 3 Mbit/s.
   */
  rateShareByBuffer: readonly Corner[];
  /**
   * What is planned with, by buffer level (ms): 0 the safe rate, 1 the expected one, which is too high half of the
   * time. The last corner lies below the level that dash.js keeps at most (16 s of its 18 s with 2 s segments).
   */
  trustByBuffer: readonly Corner[];
  /**
   * A higher rung must fit with this share of what the current rung may need, by buffer level (ms), so that
   * noise does not toggle. With a long buffer the way down is long enough to do without.
   */
  upShareByBuffer: readonly Corner[];
  /** From this buffer on, a dip of the safe rate alone does not push down while the expected rate nearly carries the rung. Example: 8000 ms. */
  holdBufferMs: number;
  /** Share of the expected rate a rung may need to be held so. Example: 1.15, which drains 0.3 s of buffer with each segment of 2 s. */
  holdShare: number;
  /** Share of the safe rate used for the first segment. Example: 0.7, start-up delay matters more than the first two seconds' picture. */
  startShare: number;
  /** Below this confidence the first segment is the lowest rung. Example: 0.1. */
  startConfidence: number;
  /** Below this confidence a step up after the first segment is one rung at a time: a first, small answer says little. Example: 0.6, 1.3 s of measured time. */
  leapConfidence: number;
  /** A segment must be down before the buffer falls to this. Example: 500 ms. */
  reserveMs: number;
}

export const defaultSelectConfig: SelectConfig = {
  rateShareByBuffer: [
    [0, 0.5],
    [4000, 0.85],
    [8000, 1],
  ],
  trustByBuffer: [
    [8000, 0],
    [14_000, 1],
  ],
  upShareByBuffer: [
    [8000, 0.9],
    [14_000, 1],
  ],
  holdBufferMs: 8000,
  holdShare: 1.15,
  startShare: 0.7,
  startConfidence: 0.1,
  leapConfidence: 0.6,
  reserveMs: 500,
};

/** Tuning of abandonment. */
export interface AbandonConfig {
  /** Younger requests are left alone unless a path was lost. Example: 500 ms. */
  minElapsedMs: number;
  /** Forecasts less sure than this only bound the rate from below: no reason to throw bytes away. Example: 0.3, half a second of measured time. */
  minConfidence: number;
  /** With less than this share of the segment left it is finished. Example: 0.15. */
  minRemainingShare: number;
  /** Buffer that should be left when the segment is complete. Example: 500 ms. */
  reserveMs: number;
  /** Cost of starting over: cancel, a new request, perhaps a new connection. Example: 300 ms. */
  restartCostMs: number;
  /** A restart must take less than this share of what finishing would. Example: 0.8. */
  gainShare: number;
}

export const defaultAbandonConfig: AbandonConfig = {
  minElapsedMs: 500,
  minConfidence: 0.3,
  minRemainingShare: 0.15,
  reserveMs: 500,
  restartCostMs: 300,
  gainShare: 0.8,
};
