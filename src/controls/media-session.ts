import { JUMP_S } from './control-elements';

/** The part of the Media Session API (W3C) that is used. */
export type SessionTarget = Pick<MediaSession, 'metadata' | 'setActionHandler'>;

/**
 * Gives the system's media keys and its display (MPRIS on Linux) the stream's title and the jumps. Chromium plays
 * and pauses by itself. @returns the function that takes both back
 */
export function announceStream(
  video: HTMLVideoElement,
  title: string,
  session: SessionTarget = navigator.mediaSession,
): () => void {
  const jump = (seconds: number): void => {
    const endS = Number.isFinite(video.duration) ? video.duration : Infinity;
    video.currentTime = Math.min(endS, Math.max(0, video.currentTime + seconds));
  };
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['seekbackward', ({ seekOffset }) => jump(-(seekOffset ?? JUMP_S))],
    ['seekforward', ({ seekOffset }) => jump(seekOffset ?? JUMP_S)],
    ['seekto', ({ seekTime }) => seekTime !== undefined && jump(seekTime - video.currentTime)],
  ];
  session.metadata = new MediaMetadata({ title });
  for (const [action, handler] of handlers) session.setActionHandler(action, handler);
  return () => {
    session.metadata = null;
    for (const [action] of handlers) session.setActionHandler(action, null);
  };
}
