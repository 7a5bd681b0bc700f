import { describe, expect, it } from 'vitest';
import { parseKeyText, parseMediaChoice } from '.';

const KEY_ID = '0123456789abcdef0123456789abcdef';
const KEY = 'FEDCBA9876543210fedcba9876543210';

describe('tracks and keys', () => {
  it('reads KID:KEY, also with the dashes of a UUID', () => {
    expect(parseKeyText(`${KEY_ID}:${KEY}`)).toEqual({ ok: true, value: { [KEY_ID]: KEY } });
    const uuid = '01234567-89ab-cdef-0123-456789abcdef';
    expect(parseKeyText(`${uuid}:${KEY}`)).toEqual({ ok: true, value: { [KEY_ID]: KEY } });
  });

  it('refuses anything else without repeating the key', () => {
    for (const text of ['', KEY_ID, `${KEY_ID}:`, `${KEY_ID}:${KEY}0`, `${KEY_ID}:${KEY}:x`]) {
      const parsed = parseKeyText(text);
      expect(parsed.ok).toBe(false);
      expect(JSON.stringify(parsed)).not.toContain(KEY);
    }
  });

  it('names the field that is wrong', () => {
    expect(parseMediaChoice({ audioLanguage: 'de-CH', textRole: 'caption' }).ok).toBe(true);
    const refused = parseMediaChoice({ audioLanguage: 'de" onload' });
    expect(!refused.ok && refused.error).toMatch(/^media\.audioLanguage: expected a tag/);
    expect(parseMediaChoice({ language: 'de' }).ok).toBe(false);
  });
});
