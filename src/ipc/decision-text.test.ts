import { describe, expect, it } from 'vitest';
import {
  mergeNetworks,
  parseBufferText,
  parseMeteredText,
  parsePolicyConfigText,
  parsePolicySettingText,
} from './decision-text';

describe('the text forms of a decision', () => {
  it('parses costly networks, with units', () => {
    const network = 'wwan0';
    expect(parseMeteredText('wwan0')).toEqual({ ok: true, value: { network, metered: true } });
    expect(parseMeteredText('wwan0=1.5GB')).toMatchObject({ value: { budgetBytes: 1.5e9 } });
    expect(parseMeteredText('wwan0=70B')).toMatchObject({ value: { budgetBytes: 70 } });
    expect(parseMeteredText('wwan0=200')).toEqual({
      ok: false,
      error: 'expected a number with B, kB, MB or GB such as 200MB, not 200',
    });
    for (const text of ['', '=', 'wwan0=', 'wwan0=-1', 'wwan0=1TB', 'a b', 'x'.repeat(3000)]) {
      expect(parseMeteredText(text).ok, text).toBe(false);
    }
  });

  it('parses settings as JSON if possible, else as text', () => {
    expect(parsePolicySettingText('rho=0.5')).toEqual({ ok: true, value: { rho: 0.5 } });
    expect(parsePolicySettingText('path=wlan0=x')).toEqual({
      ok: true,
      value: { path: 'wlan0=x' },
    });
    expect(parsePolicySettingText('rho').ok).toBe(false);
    expect(parsePolicyConfigText('{"n":150}')).toEqual({ ok: true, value: { n: 150 } });
    for (const text of ['[1]', 'null', '3', '{'])
      expect(parsePolicyConfigText(text).ok).toBe(false);
  });

  it('accepts buffers from one second to ten minutes', () => {
    expect(parseBufferText('2')).toEqual({ ok: true, value: 2 });
    for (const text of ['', '0.9', '601', 'long']) expect(parseBufferText(text).ok).toBe(false);
  });

  it('lets the last preference for a network win', () => {
    const before = [
      { network: 'a', metered: true },
      { network: 'b', metered: true },
    ];
    expect(mergeNetworks(before, [{ network: 'a', metered: false }])).toEqual([
      { network: 'a', metered: false },
      { network: 'b', metered: true },
    ]);
  });
});
