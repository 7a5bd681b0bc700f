import type { MediaPlayerClass } from 'dashjs';
import type { MediaChoice } from '../../core';
import type { DashEvent } from './dash-types';

/** EME's name of ClearKey, and its scheme in an MPD (DASH-IF, content protection). */
const CLEAR_KEY = 'org.w3.clearkey';
const CLEAR_KEY_SCHEME = 'urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e';
/** Marks encrypted media and names their key ID, whatever the key system (ISO/IEC 23009-1, 5.8.4.1). */
const MP4_PROTECTION = 'urn:mpeg:dash:mp4protection:2011';
/** W3C's common pssh box, which dash.js reads as ClearKey. */
const COMMON_PSSH_SCHEME = 'urn:uuid:1077efec-c0b2-4d02-ace3-3c1e52e2fb4b';

/** The options that this module applies. */
export type AppliedMediaChoice = MediaChoice & { textContainer?: HTMLDivElement | undefined };

const DASH_ROLES = 'urn:mpeg:dash:role:2011';

/**
 * Applies tracks and keys to a dash.js player once it is initialized. Call before that.
 * @param events as an argument, so that this module loads alone
 */
export function chooseMedia(
  player: MediaPlayerClass,
  events: typeof DashEvent,
  { audioLanguage, audioRole, textLanguage, textRole, keys, textContainer }: AppliedMediaChoice,
): void {
  let applied = false;
  const apply = (): void => {
    if (applied) return;
    applied = true;
    if (textContainer) player.attachTTMLRenderingDiv(textContainer);
    prefer(player, 'audio', audioLanguage, audioRole);
    prefer(player, 'text', textLanguage, textRole);
    if (keys) player.setProtectionData({ [CLEAR_KEY]: { clearkeys: jsonWebKeys(keys) } });
  };
  // The first moment at which dash.js takes these settings.
  player.on(events.manifestLoadingStarted, apply);
  // A manifest that the page has parsed is never loaded.
  player.on(events.manifestUpdated as never, (event: unknown) => {
    apply();
    if (keys) offerClearKey((event as { manifest?: unknown }).manifest);
  });
  if (keys) {
    player.on(events.manifestLoaded, (event) => offerClearKey((event as { data?: unknown }).data));
  }
}

function prefer(
  player: MediaPlayerClass,
  mediaType: 'audio' | 'text',
  lang: string | undefined,
  role: string | undefined,
): void {
  if (lang === undefined && role === undefined) return;
  player.setInitialMediaSettingsFor(mediaType, {
    ...(lang === undefined ? {} : { lang }),
    ...(role === undefined ? {} : { role: { schemeIdUri: DASH_ROLES, value: role } }),
  });
}

/** Key IDs and keys in base64url without padding, as ClearKey licences have them (W3C EME, 9.1). */
function jsonWebKeys(keys: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keys).map(([keyId, key]) => [base64Url(keyId), base64Url(key)]),
  );
}

function base64Url(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(parseInt(pair, 16)));
  return btoa(bytes.join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

interface Element {
  ContentProtection?: Protection[];
  [child: string]: unknown;
}

interface Protection {
  schemeIdUri?: string;
  [attribute: string]: unknown;
}

/**
 * Lists ClearKey in a manifest that names only other key systems, because dash.js tries only listed ones. With
 * the keys at hand no licence server is needed.
 */
function offerClearKey(manifest: unknown): void {
  for (const period of children(manifest, 'Period')) {
    for (const set of children(period, 'AdaptationSet')) {
      for (const element of [set, ...children(set, 'Representation')]) {
        const list = element.ContentProtection;
        if (!Array.isArray(list)) continue;
        const schemes = list.map(({ schemeIdUri }) => schemeIdUri?.toLowerCase());
        const mp4 = list[schemes.indexOf(MP4_PROTECTION)];
        if (!mp4 || schemes.includes(CLEAR_KEY_SCHEME) || schemes.includes(COMMON_PSSH_SCHEME)) {
          continue;
        }
        list.push({ ...mp4, schemeIdUri: CLEAR_KEY_SCHEME });
      }
    }
  }
}

function children(from: unknown, name: string): Element[] {
  const value = typeof from === 'object' && from !== null ? (from as Element)[name] : undefined;
  return Array.isArray(value) ? (value as Element[]) : [];
}
