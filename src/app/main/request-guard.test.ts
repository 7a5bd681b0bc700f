import { expect, it } from 'vitest';
import { firstProxy, proxyOf } from './request-guard';

it.each([
  ['DIRECT', undefined],
  ['DIRECT; PROXY a:3128', undefined],
  ['', undefined],
  ['PROXY proxy.example:3128', 'proxy.example:3128'],
  ['SOCKS5 a:1080; DIRECT', 'a:1080'],
  ['HTTPS a:443;PROXY b:80', 'a:443'],
])('the proxy of the rules "%s" is %s', (rules, proxy) => {
  expect(firstProxy(rules)).toBe(proxy);
});

it('asks Chromium for the proxy of the whole address', async () => {
  const resolveProxy = (url: string): Promise<string> =>
    Promise.resolve(url === 'https://cdn.example/a.mpd' ? 'PROXY a:3128' : 'DIRECT');
  const proxy = proxyOf({ resolveProxy });
  expect(await proxy(new URL('https://cdn.example/a.mpd'))).toBe('a:3128');
  expect(await proxy(new URL('https://other.example/'))).toBeUndefined();
});
