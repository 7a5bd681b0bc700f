import { describe, expect, it } from 'vitest';
import { browserFlags } from './browser';

const url = 'http://127.0.0.1:1/#x';

describe('browserFlags', () => {
  it('keeps the browser on TCP and off the network of others', () => {
    const flags = browserFlags({ url, headless: true }, '/profile', false);
    expect(flags).toContain('--disable-quic');
    expect(flags).toContain('--disable-background-networking');
    expect(flags).toContain('--user-data-dir=/profile');
    expect(flags.at(-1)).toBe(url);
  });

  it("gives up Chromium's sandbox for root only", () => {
    expect(browserFlags({ url, headless: true }, '/p', true)).toContain('--no-sandbox');
    expect(browserFlags({ url, headless: true }, '/p', false)).not.toContain('--no-sandbox');
  });

  it('trusts one key, never every certificate', () => {
    const options = { url, headless: true, trustedSpkiSha256: 'a2V5' };
    const flags = browserFlags(options, '/p', false);
    expect(flags).toContain('--ignore-certificate-errors-spki-list=a2V5');
    expect(flags).not.toContain('--ignore-certificate-errors');
    const plain = browserFlags({ url, headless: true }, '/p', false);
    expect(plain.join(' ')).not.toContain('certificate');
  });

  it('opens a window without a browser around it', () => {
    const flags = browserFlags({ url, headless: false }, '/p', false);
    expect(flags.at(-1)).toBe(`--app=${url}`);
    expect(flags.join(' ')).not.toContain('--headless');
  });
});
