import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactUrls, redactUrlsIn } from './redact-urls';

it.each([
  ['https://cdn.example/a.m4s', 'https://cdn.example/a.m4s'],
  [
    'https://cdn.example/a.m4s?sig=abc&t=1#x=2',
    'https://cdn.example/a.m4s?sig=redacted&t=redacted#x=redacted',
  ],
  ['https://cdn.example/a?abc', 'https://cdn.example/a?redacted'],
  ['https://cdn.example/a?sig=a==&abc', 'https://cdn.example/a?sig=redacted&redacted'],
  ['https://me:pass@cdn.example:8443/a', 'https://redacted@cdn.example:8443/a'],
  ["https://me:pa'ss@cdn.example/a", 'https://redacted@cdn.example/a'],
  ['https://me:p@ss@cdn.example/a?k=v', 'https://redacted@cdn.example/a?k=redacted'],
  ["'https://cdn.example/a' for me@example", "'https://cdn.example/a' for me@example"],
  [
    'HTTP 403 for https://x/a?k=v: give up (again)',
    'HTTP 403 for https://x/a?k=redacted give up (again)',
  ],
  ['1https://me:pass@cdn.example/a', '1https://redacted@cdn.example/a'],
  [`${'a'.repeat(40)}://cdn.example/a?k=v`, `${'a'.repeat(40)}://cdn.example/a?k=redacted`],
  ["https://cdn.example/a?sig=ab'cd&t=1", 'https://cdn.example/a?sig=redacted&t=redacted'],
  ['https://cdn.example/a?sig=<ab>', 'https://cdn.example/a?sig=redacted'],
  ['https://cdn.example/a?sig=a\\b', 'https://cdn.example/a?sig=redacted'],
  ['seg-1.m4s?sig=abc not found', 'seg-1.m4s?sig=redacted not found'],
  ['//me:pass@cdn.example/a?sig=abc', '//redacted@cdn.example/a?sig=redacted'],
  ['https:\\\\cdn.example/a?sig=abc', 'https:\\\\cdn.example/a?sig=redacted'],
  ['{\\"url\\":\\"https://x/a?k=v\\"}', '{\\"url\\":\\"https://x/a?k=redacted\\"}'],
  ['error:https://me:pass@cdn.example/a?abc', 'error:https://redacted@cdn.example/a?redacted'],
  ['blob:https://me:pass@cdn.example/a', 'blob:https://redacted@cdn.example/a'],
  ['3:https://me:pass@cdn.example/a', '3:https://redacted@cdn.example/a'],
  ['HTTP/1.1https://me:pass@cdn.example/a', 'HTTP/1.1https://redacted@cdn.example/a'],
  ['seg.m4s?abc', 'seg.m4s?redacted'],
  ['https:me:pass@cdn.example/a', 'https:redacted@cdn.example/a'],
  ['https:\\\\me:pass@cdn.example/a', 'https:redacted@cdn.example/a'],
  ['issue #12 of them', 'issue #12 of them'],
  ['is it 3 = 4? perhaps', 'is it 3 = 4? perhaps'],
])('%s', (text, expected) => {
  expect(redactUrls(text)).toBe(expected);
});

it('takes no longer than a text is long', () => {
  const hostile = [
    'a.',
    'a://',
    "a://'",
    '://@',
    'a?&',
    '=a',
    '//',
    'a://?',
    '?a=',
    'https:',
    'https:a:',
  ].map((piece) => piece.repeat(100_000));
  for (const text of hostile) expect(redactUrls(text).length).toBeGreaterThan(0);
});

it('leaves no secret value in any URL of a nested value', () => {
  const secret = fc.stringMatching(/^[A-Z]{8,20}$/);
  const name = fc.stringMatching(/^[a-z]{1,5}$/);
  fc.assert(
    fc.property(secret, name, fc.constantFrom('?', '#', '?a=b&', '?a&'), (value, key, mark) => {
      const event = { list: [{ text: `see "https://host/p${mark}${key}=${value}" now` }], n: 1 };
      const redacted = redactUrlsIn(event);
      expect(JSON.stringify(redacted)).not.toContain(value);
      expect(redacted.n).toBe(1);
    }),
  );
});
