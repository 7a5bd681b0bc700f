import * as v from 'valibot';
import type { MediaChoice } from '../core';
import { parse, type Parsed } from './parse';

/** More keys than any stream has periods and tracks. */
const MAX_KEYS = 100;

const hexKey = v.pipe(v.string(), v.regex(/^[0-9a-fA-F]{32}$/, 'expected 32 hexadecimal digits'));
/** BCP 47 tags and DASH roles: letters, digits, hyphens. */
const tag = v.optional(
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'expected a tag such as de')),
);

export const mediaChoiceSchema = v.strictObject({
  keys: v.optional(v.pipe(v.record(hexKey, hexKey), v.maxEntries(MAX_KEYS))),
  audioLanguage: tag,
  audioRole: tag,
  textLanguage: tag,
  textRole: tag,
});

/** Validates tracks and keys. */
export function parseMediaChoice(value: unknown): Parsed<MediaChoice> {
  return parse(mediaChoiceSchema, value, 'media');
}

/** Parses a ClearKey key, `KID:KEY`. Dashes of a UUID are allowed. The message never repeats the key. */
export function parseKeyText(text: string): Parsed<Record<string, string>> {
  const [keyId = '', key = '', more] = text.replaceAll('-', '').split(':');
  const parsed = more === undefined ? parseMediaChoice({ keys: { [keyId]: key } }) : undefined;
  if (parsed?.ok) return { ok: true, value: { [keyId]: key } };
  return { ok: false, error: 'expected KID:KEY, 32 hexadecimal digits each' };
}
