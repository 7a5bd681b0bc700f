import type { MediaPlayerClass } from 'dashjs';
import type { BaseUrls } from './base-urls';
import type { DashSettings } from './dash-settings';
import { DashEvent } from './dash-types';
import { givenUpLocation } from '../recovery/errors';

/**
 * Tries for one segment of the only BaseURL. A stale network or a restarting server must not end the session.
 * With 1 s between tries, and up to 20 s until each fails, this outlasts half a minute of refused connections
 * and far longer silence.
 */
const LAST_BASE_URL_TRIES = 30;
/** Tries with another BaseURL left: one repetition distinguishes a passing fault from an unreachable server. */
const OTHER_BASE_URL_TRIES = 1;

/** Number of times dash.js repeats a request. */
export function retrySettings(anyOtherBaseUrl: boolean, isLive: boolean): DashSettings {
  const tries = anyOtherBaseUrl ? OTHER_BASE_URL_TRIES : LAST_BASE_URL_TRIES;
  return {
    streaming: {
      retryAttempts: {
        MediaSegment: tries,
        InitializationSegment: tries,
        IndexSegment: tries,
        // dash.js never requests the MPD of a live stream again after a final failure.
        ...(isLive ? { MPD: LAST_BASE_URL_TRIES } : {}),
      },
    },
  };
}

/**
 * Keeps the BaseURLs in step with the manifest and with the ones dash.js abandons. Call before
 * `initialize()`.
 */
export function followBaseUrls(player: MediaPlayerClass, baseUrls: BaseUrls): void {
  player.on(DashEvent.baseUrlsUpdated, () => baseUrls.read(player.getManifest()));
  player.on(DashEvent.error, (event) => {
    const location = givenUpLocation(event);
    if (location !== undefined) baseUrls.failed(location);
  });
}

/**
 * Keeps the number of tries in step with the remaining BaseURLs. Call after `followBaseUrls`.
 * @param own settings of the embedder, which count more
 */
export function adaptRetries(
  player: MediaPlayerClass,
  baseUrls: BaseUrls,
  own: DashSettings | undefined,
): void {
  const retryAttempts = own?.streaming?.retryAttempts;
  const kept: DashSettings = retryAttempts ? { streaming: { retryAttempts } } : {};
  const adapt = (): void => {
    player.updateSettings(retrySettings(baseUrls.anyChoice, isLive(player.getManifest())));
    player.updateSettings(kept);
  };
  player.updateSettings(retrySettings(false, false));
  player.on(DashEvent.baseUrlsUpdated, adapt);
  player.on(DashEvent.error, adapt);
}

function isLive(manifest: unknown): boolean {
  return (
    typeof manifest === 'object' &&
    manifest !== null &&
    'type' in manifest &&
    manifest.type === 'dynamic'
  );
}
