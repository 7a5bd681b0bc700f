import type { MediaPlayerClass } from 'dashjs';
import { DashEvent } from '../dashjs/dash-types';

/**
 * Recognizes dash.js's own seeks, which jump a gap or replace buffered media. dash.js reports the viewer's
 * seeks only. Call before `initialize()`.
 */
export function hearOwnSeeks(player: MediaPlayerClass): () => boolean {
  let isOwn = true;
  player.on(DashEvent.playbackSeeking, () => {
    isOwn = false;
  });
  player.on(DashEvent.playbackSeeked, () => {
    isOwn = true;
  });
  return () => isOwn;
}
