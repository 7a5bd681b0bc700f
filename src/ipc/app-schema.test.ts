import { describe, expect, it } from 'vitest';
import { limits } from './limits';
import { parseAppEvent, parseAppRequest, parseAppResponse } from './app-schema';

const launchInfo = {
  versions: { app: '0.1.0', electron: '22.3.25', chrome: '108.0.0.0', node: '16.17.1' },
  mptcp: { state: 'preloaded', reason: 'sockets are opened as MPTCP' },
  decision: { correction: true, networks: [{ network: 'wwan0', metered: true }] },
  networks: [{ network: 'wlan0', address: '192.0.2.7' }],
  media: { audioLanguage: 'de' },
};

describe('app schema', () => {
  it('accepts well-formed questions and answers', () => {
    expect(
      parseAppRequest('beginStream', { url: 'https://example.org/a.mpd', steers: true }),
    ).toEqual({
      ok: true,
      value: { url: 'https://example.org/a.mpd', steers: true },
    });
    expect(parseAppResponse('getLaunchInfo', launchInfo).ok).toBe(true);
    expect(parseAppResponse('openFileDialog', { outcome: 'cancelled' }).ok).toBe(true);
    expect(parseAppEvent('closing', { reason: 'time-up' }).ok).toBe(true);
  });

  it('refuses unknown fields', () => {
    const result = parseAppRequest('openFileDialog', { defaultPath: '/etc' });
    expect(result).toMatchObject({ ok: false });
    if (!result.ok) expect(result.error).toContain('openFileDialog.defaultPath');
  });

  it('names the wrong field', () => {
    const result = parseAppResponse('getLaunchInfo', {
      ...launchInfo,
      mptcp: { state: 'maybe', reason: '' },
    });
    expect(result.ok ? '' : result.error).toMatch(/^getLaunchInfo\.mptcp\.state: /);
  });

  it.each([
    ['an empty URL', { url: '' }],
    ['a URL beyond the limit', { url: 'https://a/' + 'x'.repeat(limits.urlChars) }],
    ['a URL that is not text', { url: { toString: (): string => 'https://a/' } }],
    ['nothing', undefined],
    ['a list', [{ url: 'https://a/' }]],
  ])('refuses %s', (_name, request) => {
    expect(parseAppRequest('beginStream', request).ok).toBe(false);
  });

  it('accepts a network preference with its fields only', () => {
    const wish = { network: 'wwan0', metered: true, budgetBytes: 5e6 };
    expect(parseAppRequest('saveNetwork', { wish }).ok).toBe(true);
    for (const bad of [
      { ...wish, network: '' },
      { ...wish, budgetBytes: -1 },
      { ...wish, file: 'x' },
    ]) {
      expect(parseAppRequest('saveNetwork', { wish: bad }).ok).toBe(false);
    }
  });

  it('refuses an answer that is both success and failure', () => {
    expect(parseAppResponse('beginStream', { ok: true, error: 'no' }).ok).toBe(false);
    expect(parseAppEvent('closing', { reason: 'bored' }).ok).toBe(false);
  });
});
