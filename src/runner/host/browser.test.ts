import { describe, expect, it } from 'vitest';
import { browserFlags, playingFlags } from './browser';

const URL = 'http://127.0.0.1:1/#token=secret';
const START_URL = 'http://127.0.0.1:1/start';

describe('browserFlags', () => {
  it('keeps the browser on TCP and away from other hosts', () => {
    const flags = browserFlags(
      { url: URL, startUrl: START_URL, headless: true },
      '/profile',
      false,
    );
    expect(flags).toContain('--disable-quic');
    expect(flags).toContain('--disable-background-networking');
    expect(flags).toContain('--user-data-dir=/profile');
    expect(flags.at(-1)).toBe(START_URL);
  });

  it.each([true, false])(
    'keeps the page’s address out of the arguments (headless %s)',
    (headless) => {
      const flags = browserFlags({ url: URL, startUrl: START_URL, headless }, '/p', false);
      expect(flags.join(' ')).not.toContain('secret');
      expect(flags).toContain('--remote-debugging-pipe');
    },
  );

  it("disables Chromium's sandbox for root only", () => {
    expect(browserFlags({ url: URL, startUrl: START_URL, headless: true }, '/p', true)).toContain(
      '--no-sandbox',
    );
    expect(
      browserFlags({ url: URL, startUrl: START_URL, headless: true }, '/p', false),
    ).not.toContain('--no-sandbox');
  });

  it('takes a pinned name for its one address', () => {
    const flags = (address: string): string[] =>
      playingFlags({ pinned: { host: 'nas.example', address } });
    expect(flags('192.168.1.5')).toContain('--host-resolver-rules=MAP nas.example 192.168.1.5');
    expect(flags('fd00::5')).toContain('--host-resolver-rules=MAP nas.example [fd00::5]');
    expect(playingFlags({}).join(' ')).not.toContain('resolver');
  });

  it('trusts one key, never every certificate', () => {
    const options = { url: URL, startUrl: START_URL, headless: true, trustedSpkiSha256: 'a2V5' };
    const flags = browserFlags(options, '/p', false);
    expect(flags).toContain('--ignore-certificate-errors-spki-list=a2V5');
    expect(flags).not.toContain('--ignore-certificate-errors');
    const plain = browserFlags({ url: URL, startUrl: START_URL, headless: true }, '/p', false);
    expect(plain.join(' ')).not.toContain('certificate');
  });

  it('opens a window without browser controls', () => {
    const flags = browserFlags({ url: URL, startUrl: START_URL, headless: false }, '/p', false);
    expect(flags.at(-1)).toBe(`--app=${START_URL}`);
    expect(flags.join(' ')).not.toContain('--headless');
  });
});
