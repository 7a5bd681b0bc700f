import { beforeEach, describe, expect, it } from 'vitest';
import { createRequestGuard, type RequestGuard } from './request-guard';

describe('request guard', () => {
  const known = {
    'cdn.example': ['93.184.216.34'],
    'other.example': ['93.184.216.35'],
    'nas.example': ['192.168.1.5'],
    'trap.example': ['93.184.216.34', '127.0.0.1'],
  };
  let names: Record<string, string[]> = {};
  let nowMs = 0;
  let refused: string[] = [];
  let proxy = false;
  let guard: RequestGuard;
  beforeEach(() => {
    names = { ...known };
    nowMs = 0;
    refused = [];
    proxy = false;
    const resolve = (host: string): Promise<string[]> => {
      const addresses = names[host];
      return addresses ? Promise.resolve(addresses) : Promise.reject(new Error('no such name'));
    };
    guard = createRequestGuard(
      resolve,
      () => nowMs,
      (text) => refused.push(text),
      () => Promise.resolve(proxy),
    );
  });
  const open = (url: string): Promise<string[]> => guard.opened(new URL(url));
  const asks = (url: string): Promise<boolean> => guard.allows(new URL(url));

  it.each([
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'http://a.localhost:3000/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://192.168.1.1/reboot',
    'http://nas.example/',
    'http://trap.example/',
    'ws://127.0.0.1:9222/',
  ])('keeps a stream from the internet away from %s', async (url) => {
    await open('https://cdn.example/a.mpd');
    expect(await asks(url)).toBe(false);
    expect(await asks(url)).toBe(false);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain('the stream comes from cdn.example');
  });

  it('lets a stream reach its own space and those further out', async () => {
    await open('https://cdn.example/a.mpd');
    expect(await asks('https://other.example/1.m4s')).toBe(true);
    await open('http://nas.example/a.mpd');
    expect(await asks('http://192.168.1.7/1.m4s')).toBe(true);
    expect(await asks('https://cdn.example/1.m4s')).toBe(true);
    expect(await asks('http://127.0.0.1/')).toBe(false);
    await open('http://127.0.0.1:8000/a.mpd');
    expect(await asks('http://127.0.0.1:9000/')).toBe(true);
    await open('mpdash://media/1/a.mpd');
    expect(await asks('http://192.168.1.7/1.m4s')).toBe(true);
  });

  it('refuses a name whose first query fails, unless a proxy resolves it', async () => {
    await open('https://cdn.example/a.mpd');
    expect(await asks('http://late.example/')).toBe(false);
    // Its server answers the next query with a local address.
    names['late.example'] = ['127.0.0.1'];
    expect(await asks('http://late.example/')).toBe(false);
    expect(await asks('http://inside.example/')).toBe(false);
    names['inside.example'] = ['93.184.216.36'];
    expect(await asks('http://inside.example/')).toBe(true);
    proxy = true;
    expect(await asks('http://by-proxy.example/')).toBe(true);
    expect(await asks('http://127.0.0.1/')).toBe(false);
  });

  it('detects a name that changes to a local address, and counts a name with both kinds as remote', async () => {
    await open('https://cdn.example/a.mpd');
    names['cdn.example'] = ['127.0.0.1'];
    nowMs += 60_000;
    expect(await asks('https://cdn.example/1.m4s')).toBe(false);
    await open('https://trap.example/a.mpd');
    expect(await asks('http://127.0.0.1/')).toBe(false);
  });
});
