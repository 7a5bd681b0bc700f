import { describe, expect, it } from 'vitest';
import { checkStreamUrl, StreamUrlError } from './stream-url';

const owns = (url: URL): boolean => url.href.startsWith('mpdash://media/known/');
const check = (text: string): string => checkStreamUrl(text, owns).href;

describe('checkStreamUrl', () => {
  it('accepts http, https and media opened by the viewer', () => {
    expect(check(' https://example.org/a.mpd?x=1 ')).toBe('https://example.org/a.mpd?x=1');
    expect(check('http://[::1]:8080/a.mpd')).toBe('http://[::1]:8080/a.mpd');
    expect(check('mpdash://media/known/a.mpd')).toBe('mpdash://media/known/a.mpd');
  });

  it.each([
    ['example.org/a.mpd', /is not a URL/],
    ['file:///etc/passwd', /Open file/],
    ['javascript:alert(1)', /javascript:.*cannot be played/],
    ['data:application/dash+xml,<MPD/>', /data:/],
    ['mpdash://media/unknown/a.mpd', /mpdash:/],
    ['mpdash://app/index.html', /mpdash:/],
    ['https://me:secret@example.org/a.mpd', /user name or password/],
  ])('refuses %s', (text, message) => {
    expect(() => check(text)).toThrow(StreamUrlError);
    expect(() => check(text)).toThrow(message);
  });
});
