import { listMember } from './member';

/** Key systems by the first group of their UUID in an MPD (DASH-IF, registered system ids), lower case. */
const KEY_SYSTEMS: Readonly<Record<string, string>> = {
  edef8ba9: 'Widevine',
  '9a04f079': 'PlayReady',
  '94ce86fb': 'FairPlay',
};

/**
 * True if an error of dash.js's protection (ProtectionErrors) prevents any decryption: no licence server, key system refused, no
 * session, licence refused.
 */
export const isKeyError = (code: number): boolean => code > 110 && code < 115;

/** The error for the viewer of an encrypted stream. */
export const keyMissing = (detail: string) => ({
  code: 'key-missing',
  message: `The key of the encrypted stream is missing (${detail}): the player needs it or its licence server.`,
  fatal: true,
});

/** The reason why no representation of an encrypted stream plays; empty for other streams. */
export function protectionAdvice(systems: readonly string[] | undefined): string {
  if (!systems) return '';
  const named = systems.length > 0 ? ` for ${systems.join(' or ')}` : '';
  return ` The stream is encrypted${named}: it needs a browser with that key system or its keys.`;
}

/**
 * The key systems of a manifest as parsed by dash.js, by name; undefined if nothing is encrypted. Read it
 * when it is loaded: dash.js then removes what the browser cannot play.
 */
export function keySystemsOf(manifest: unknown): string[] | undefined {
  const schemes = elements(manifest, 'Period', 'AdaptationSet').flatMap((set) =>
    [set, ...elements(set, 'Representation')].flatMap((one) => elements(one, 'ContentProtection')),
  );
  if (schemes.length === 0) return undefined;
  const names = schemes.flatMap(
    ({ schemeIdUri }) => KEY_SYSTEMS[String(schemeIdUri).toLowerCase().slice(9, 17)] ?? [],
  );
  return [...new Set(names)];
}

/** The codecs of all video in a manifest as parsed by dash.js. */
export function videoCodecsOf(manifest: unknown): string[] {
  const sets = elements(manifest, 'Period', 'AdaptationSet');
  const codecs = sets.flatMap((set) =>
    elements(set, 'Representation').flatMap((one) => {
      const type = one['mimeType'] ?? set['mimeType'] ?? set['contentType'];
      return String(type).startsWith('video') ? String(one['codecs'] ?? set['codecs']) : [];
    }),
  );
  return [...new Set(codecs)];
}

type Element = Record<string, unknown>;

/** The elements on a path of names. */
function elements(from: unknown, name: string, ...more: string[]): Element[] {
  const list = listMember(from, name) as Element[];
  const [next, ...rest] = more;
  return next === undefined ? list : list.flatMap((one) => elements(one, next, ...rest));
}
