import type { Page } from '@playwright/test';
import type { LogEvent } from '../../src/session-log';

/** This player with its corrections, or unmodified dash.js. */
export type PlayerName = 'ours' | 'dash.js';

/** One player on one stream. */
export interface Playing {
  name: PlayerName;
  page: Page;
  /** Events in the log so far. */
  log: LogEvent[];
  positionSeconds(): Promise<number>;
  frames(): Promise<{ shown: number; dropped: number }>;
  /** Error codes in the log. */
  codes(): string[];
  fatal(): boolean;
  /** Stalls that began. */
  stalls(): number;
  /** Ends the session and its log. Idempotent. */
  close(): Promise<void>;
}

/** The view of a page and its growing log. */
export function observe(
  name: PlayerName,
  page: Page,
  log: LogEvent[],
  close: () => Promise<void>,
): Playing {
  return {
    name,
    page,
    log,
    close,
    positionSeconds: () => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0),
    frames: () =>
      page.evaluate(() => {
        const quality = document.querySelector('video')?.getVideoPlaybackQuality();
        const dropped = quality?.droppedVideoFrames ?? 0;
        return { shown: (quality?.totalVideoFrames ?? 0) - dropped, dropped };
      }),
    codes: () => log.flatMap((event) => (event.type === 'error' ? [event.code] : [])),
    fatal: () => log.some((event) => event.type === 'error' && event.fatal),
    stalls: () => log.filter((event) => event.type === 'stall' && event.phase === 'start').length,
  };
}
