import { afterEach, expect, it, vi } from 'vitest';
import { guardStream } from './stream-guard';

afterEach(() => void vi.unstubAllEnvs());

const names: Record<string, string[]> = { 'cdn.example': ['93.184.216.34'] };
const resolve = (host: string): Promise<string[]> =>
  names[host] ? Promise.resolve(names[host]) : Promise.reject(new Error('no such name'));

const allowed = (stream: string, url: string): Promise<boolean> | undefined =>
  guardStream(new URL(stream), () => undefined, resolve)?.allows(new URL(url));

it('keeps a stream of the internet from this machine, and not one of this machine', async () => {
  expect(await allowed('https://cdn.example/a.mpd', 'http://127.0.0.1:9222/json')).toBe(false);
  expect(await allowed('https://cdn.example/a.mpd', 'https://cdn.example/1.m4s')).toBe(true);
  for (const url of ['http://[::1]/a.mpd', 'http://127.0.0.1/a.mpd', 'http://LOCALHOST:80/a.mpd']) {
    expect(allowed(url, 'http://127.0.0.1:9222/'), url).toBeUndefined();
  }
});

it('refuses a name without an address, unless a proxy may know it', async () => {
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) vi.stubEnv(name, '');
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, '');
  expect(await allowed('https://cdn.example/a.mpd', 'https://x.example/1.m4s')).toBe(false);
  expect(await allowed('https://x.example/a.mpd', 'https://x.example/1.m4s')).toBe(true);
  vi.stubEnv('HTTPS_PROXY', 'http://proxy:3128');
  expect(await allowed('https://cdn.example/a.mpd', 'https://x.example/1.m4s')).toBe(true);
});

it('lets the page of this program load before the name of the stream is known', async () => {
  const guard = guardStream(
    new URL('https://slow.example/a.mpd'),
    () => undefined,
    () => new Promise(() => undefined),
  );
  guard?.serves('http://127.0.0.1:8000');
  expect(await guard?.allows(new URL('http://127.0.0.1:8000/start'))).toBe(true);
});
