import { expect, it } from 'vitest';
import { languageName } from './language-name';
import { titleOf } from './stream-title';

it.each([
  ['https://example.org/films/big-buck/manifest.mpd?token=1', 'big-buck'],
  ['https://example.org/stream.mpd', 'example.org'],
  ['/home/me/Videos/Big%20Buck/stream.mpd', 'Big%20Buck'],
  ['https://example.org/Big%20Buck.mpd', 'Big Buck'],
  ['stream.mpd', 'stream.mpd'],
])('titles %s', (label, title) => {
  expect(titleOf(label)).toBe(title);
});

it.each([
  ['de', 'Deutsch'],
  ['en', 'English'],
  ['und', 'Unknown language'],
  ['no tag', 'no tag'],
])('names the language %s', (tag, name) => {
  expect(languageName(tag)).toBe(name);
});
