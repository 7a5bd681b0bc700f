import { describe, expect, it } from 'vitest';
import { proxyOfVariables } from './proxy-variables';

const proxy = (url: string, env: Record<string, string>): string | undefined =>
  proxyOfVariables(new URL(url), env);

describe('proxyOfVariables', () => {
  it('reads the variable of the scheme, in lower and upper case, else that of all', () => {
    const env = { http_proxy: 'http://a:3128', HTTPS_PROXY: 'http://b:3128' };
    expect(proxy('http://cdn.example/a.mpd', env)).toBe('a:3128');
    expect(proxy('https://cdn.example/a.mpd', env)).toBe('b:3128');
    expect(proxy('https://cdn.example/', { ALL_PROXY: 'socks5://c:1080' })).toBe('c:1080');
    expect(proxy('https://cdn.example/', { http_proxy: 'http://a:3128' })).toBeUndefined();
    expect(proxy('http://cdn.example/', { http_proxy: '', HTTP_PROXY: 'd:1' })).toBe('d:1');
    expect(proxy('http://cdn.example/', {})).toBeUndefined();
  });

  it('shows neither user nor password', () => {
    expect(proxy('http://cdn.example/', { http_proxy: 'http://me:secret@a:3128/' })).toBe('a:3128');
  });

  it.each([
    ['*', true],
    ['cdn.example', true],
    ['.example', true],
    ['*.example', true],
    ['localhost, CDN.Example', true],
    ['localhost cdn.example', true],
    ['cdn.example:80', true],
    ['cdn.example:8080', false],
    ['dn.example', false],
    ['www.cdn.example', false],
    ['', false],
  ])('no_proxy "%s" exempts cdn.example: %s', (noProxy, isExempt) => {
    const env = { http_proxy: 'http://a:3128', no_proxy: noProxy };
    expect(proxy('http://cdn.example/a.mpd', env) === undefined).toBe(isExempt);
  });

  it.each([
    ['http://192.168.1.9/', '192.168.0.0/16', true],
    ['http://192.168.1.9/', '192.168.1.9', true],
    ['http://192.168.1.9/', '10.0.0.0/8', false],
    ['http://192.168.1.9/', '1.9', false],
    ['http://192.168.1.9/', '192.168.0.0/64', false],
    ['http://[fd00::7]/', 'fd00::/8', true],
    ['http://[fd00::7]:8080/', '[fd00::7]:8080', true],
    ['http://[fd00::7]/', 'fd00::7', true],
    ['http://[fd00::7]/', '192.168.0.0/16', false],
  ])('%s with no_proxy %s is exempt: %s', (url, noProxy, isExempt) => {
    const env = { http_proxy: 'http://a:3128', NO_PROXY: noProxy };
    expect(proxy(url, env) === undefined).toBe(isExempt);
  });
});
