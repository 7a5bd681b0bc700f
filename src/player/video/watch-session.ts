import type { Clock } from '../../ports';
import type { Session } from '../session/session';
import { VideoWatch } from './video-watch';

export interface WatchSessionOptions {
  /** Records the last state before the log ends with the stream. */
  beforeEnd: () => void;
  isOwnSeek?: () => boolean;
}

/**
 * Logs the element's first frame and stalls, and ends the session with the stream.
 * @returns the watch, which the caller stops
 */
export function watchSession(
  video: HTMLVideoElement,
  clock: Clock,
  session: Session,
  { beforeEnd, isOwnSeek }: WatchSessionOptions,
): VideoWatch {
  const loadMs = clock.nowMs();
  return new VideoWatch(video, clock, {
    onFirstFrame: (atMs) =>
      session.emit({ type: 'startup', startupDelayMs: Math.max(0, atMs - loadMs) }),
    onStallStart: (monotonicMs) => session.emit({ type: 'stall', phase: 'start', monotonicMs }),
    onStallEnd: (monotonicMs, durationMs) =>
      session.emit({ type: 'stall', phase: 'end', durationMs, monotonicMs }),
    onEnded: () => {
      beforeEnd();
      session.end('ended');
    },
    ...(isOwnSeek ? { isOwnSeek } : {}),
  });
}
