import type { MediaPlayerClass } from 'dashjs';
import { DashEvent, finite } from './dash-types';

/**
 * The wall clock of the stream's server, in ms since 1970: the client's, corrected by what dash.js measured against the
 * time source of the MPD (`UTCTiming`, ISO/IEC 23009-1, 5.8.4.11). Times of availability are in it. Call before
 * `initialize()`.
 */
export function serverClock(player: MediaPlayerClass): () => number {
  let offsetMs = 0;
  player.on(DashEvent.updateTimeSyncOffset as never, (event: { offset?: number }) => {
    offsetMs = finite(event.offset) ?? offsetMs;
  });
  player.on(DashEvent.streamTeardownComplete as never, () => {
    offsetMs = 0;
  });
  return () => Date.now() + offsetMs;
}
