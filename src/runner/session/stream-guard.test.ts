import { afterEach, expect, it, vi } from 'vitest';
import { guardStream } from './stream-guard';

afterEach(() => void vi.unstubAllEnvs());

const names: Record<string, string[]> = {
  'cdn.example': ['93.184.216.34'],
  'nas.example': ['192.168.1.5'],
  'trap.example': ['127.0.0.1'],
};
const resolve = (host: string): Promise<string[]> =>
  names[host] ? Promise.resolve(names[host]) : Promise.reject(new Error('no such name'));

const guardOf = (stream: string): ReturnType<typeof guardStream> =>
  guardStream(new URL(stream), () => undefined, resolve);
const allowed = async (stream: string, url: string): Promise<boolean | undefined> =>
  (await guardOf(stream))?.allows(new URL(url));

it('keeps a stream of the internet from this machine, and not one of this machine', async () => {
  expect(await allowed('https://cdn.example/a.mpd', 'http://127.0.0.1:9222/json')).toBe(false);
  expect(await allowed('https://cdn.example/a.mpd', 'https://cdn.example/1.m4s')).toBe(true);
  for (const url of ['http://[::1]/a.mpd', 'http://127.0.0.1/a.mpd', 'http://LOCALHOST:80/a.mpd']) {
    expect(await guardOf(url), url).toBeUndefined();
  }
});

it('refuses a name without an address, unless a proxy may know it', async () => {
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) vi.stubEnv(name, '');
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, '');
  expect(await allowed('https://cdn.example/a.mpd', 'https://x.example/1.m4s')).toBe(false);
  expect(await allowed('https://x.example/a.mpd', 'https://y.example/1.m4s')).toBe(false);
  vi.stubEnv('HTTPS_PROXY', 'http://proxy:3128');
  expect(await allowed('https://cdn.example/a.mpd', 'https://x.example/1.m4s')).toBe(true);
});

it('pins a name with a local address: its server could give the browser another one', async () => {
  const trap = await guardOf('http://trap.example:8000/a.mpd');
  expect(trap?.pinned).toEqual({ host: 'trap.example', address: '127.0.0.1' });
  const nas = await guardOf('http://nas.example/a.mpd');
  expect(nas?.pinned).toEqual({ host: 'nas.example', address: '192.168.1.5' });
  expect(await nas?.allows(new URL('http://127.0.0.1:9222/'))).toBe(false);
  Reflect.deleteProperty(names, 'nas.example');
  expect(await nas?.allows(new URL('http://nas.example/1.m4s'))).toBe(true);
  expect((await guardOf('https://cdn.example/a.mpd'))?.pinned).toBeUndefined();
});

it('treats a name whose query gets no answer as public', async () => {
  vi.useFakeTimers();
  const waiting = guardStream(
    new URL('https://slow.example/a.mpd'),
    () => undefined,
    (host) => (host === 'slow.example' ? new Promise(() => undefined) : resolve(host)),
  );
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  const guard = await waiting;
  guard?.serves('http://127.0.0.1:8000');
  expect(await guard?.allows(new URL('http://127.0.0.1:8000/start'))).toBe(true);
  expect(await guard?.allows(new URL('http://127.0.0.1:9222/'))).toBe(false);
});
