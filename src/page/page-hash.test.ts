import { expect, it } from 'vitest';
import { hashWith } from './page-hash';

it('plays a dropped address with the settings of the page', () => {
  const hash = hashWith('#mpd=https%3A%2F%2Fa%2Fb.mpd&abr=bola', 'https://c/d.mpd?x=1&y=2');
  const parameters = new URLSearchParams(hash);
  expect(parameters.get('mpd')).toBe('https://c/d.mpd?x=1&y=2');
  expect(parameters.get('abr')).toBe('bola');
});
