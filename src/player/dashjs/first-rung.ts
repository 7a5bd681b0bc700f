import type { MediaPlayerClass } from 'dashjs';
import type { DashSettings } from './dash-settings';
import { DashEvent } from './dash-types';

/** Below the lowest rung of any stream, kbit/s. dash.js takes 0 for "not set". */
const BELOW_ALL_KBPS = 1;
/** dash.js's default. */
const NOT_SET = -1;

/**
 * Begins the stream at its lowest rung: the first frame needs one small segment, and nothing is measured yet. dash.js
 * would take the highest rung below 1 Mbit/s. It reads the setting again for each later period; there it has a default
 * that knows the throughput.
 */
export function beginAtLowestRung(
  player: Pick<MediaPlayerClass, 'updateSettings' | 'on' | 'off'>,
): void {
  const set = (video: number): void => {
    const settings: DashSettings = { streaming: { abr: { initialBitrate: { video } } } };
    player.updateSettings(settings);
  };
  const onInitialized = (): void => {
    player.off(DashEvent.streamInitialized, onInitialized);
    set(NOT_SET);
  };
  set(BELOW_ALL_KBPS);
  player.on(DashEvent.streamInitialized, onInitialized);
}
