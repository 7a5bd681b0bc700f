import { describe, expect, it } from 'vitest';
import type { systemMptcpProbe } from '../../kernel';
import { carriageEnv, mptcpEnv } from './mptcp-env';

describe('mptcpEnv', () => {
  const library = '/usr/lib/mptcpize/libmptcpwrap.so.0.0.1';
  const environment = (enabled: string | undefined, wrapper: string | undefined) => {
    const warnings: string[] = [];
    const env = mptcpEnv((text) => warnings.push(text), {
      enabled: () => enabled,
      wrapper: () => wrapper,
    });
    return { env, warning: warnings.join() };
  };

  it('preloads the wrapper if the kernel supports MPTCP', () => {
    expect(environment('1\n', library)).toEqual({ env: { LD_PRELOAD: library }, warning: '' });
  });

  it.each([
    [undefined, library, 'CONFIG_MPTCP'],
    ['0\n', library, 'sysctl -w net.mptcp.enabled=1'],
    ['1\n', undefined, 'apt install mptcpize'],
  ])('plays over one path with %j and %j, and names the remedy', (enabled, wrapper, mend) => {
    const { env, warning } = environment(enabled, wrapper);
    expect(env).toEqual({});
    expect(warning).toContain(mend);
  });
});

describe('carriageEnv', () => {
  const withWrapper = { enabled: () => '1', wrapper: () => '/usr/lib/libmptcpwrap.so' };
  const without = { enabled: () => '0', wrapper: () => undefined };
  const said = (
    carriage: 'auto' | 'mptcp' | 'ranges' | 'single',
    probe: typeof systemMptcpProbe,
  ) => {
    const warnings: string[] = [];
    const env = carriageEnv(carriage, (text) => warnings.push(text), probe);
    return [Object.keys(env).length, warnings.length];
  };

  it('preloads the wrapper where MPTCP may carry, and warns only where it must', () => {
    for (const carriage of ['auto', 'mptcp'] as const) {
      expect(said(carriage, withWrapper)).toEqual([1, 0]);
    }
    expect(said('mptcp', without)).toEqual([0, 1]);
    for (const carriage of ['auto', 'ranges', 'single'] as const) {
      expect(said(carriage, without)).toEqual([0, 0]);
    }
  });
});
