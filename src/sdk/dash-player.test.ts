import type { MediaPlayerClass } from 'dashjs';
import { afterEach, expect, it } from 'vitest';
import { attach } from './dash-player';
import { OptionError } from './errors';

const video = {
  autoplay: false,
  play: () => undefined,
  pause: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
} as unknown as HTMLVideoElement;

const calls: [method: string, ...args: unknown[]][] = [];

/** A dash.js player before `initialize`, which notes what is asked of it. */
const newDash = (settings: object = {}): MediaPlayerClass =>
  new Proxy(
    {},
    {
      has: () => true,
      get:
        (_target, method: string) =>
        (...args: unknown[]) => {
          if (method === 'getInitialMediaSettingsFor') throw new Error('not initialized');
          calls.push([method, ...args]);
          return method === 'getSettings' ? settings : undefined;
        },
    },
  ) as MediaPlayerClass;

afterEach(() => {
  calls.length = 0;
});

const interceptors = (): number =>
  calls.filter(([method]) => method === 'addRequestInterceptor').length;

it.each([
  [true, 'query'],
  [{ mode: 'header' } as const, 'headers'],
])('attach sends CMCD where it is wanted: %j', async (cmcd, mode) => {
  const plain = await attach(newDash(), { video, memory: false });
  const without = interceptors();
  plain.destroy();
  calls.length = 0;

  const multipath = await attach(newDash(), { video, memory: false, cmcd });
  expect(JSON.stringify(calls)).toContain(`"cmcd":{"enabled":true,"version":2,"mode":"${mode}"`);
  expect(interceptors()).toBe(without + 1);
  // The gateway's interceptor replaces the address, so the keys come before it.
  const order = calls.map(([method]) => method);
  expect(order.lastIndexOf('addRequestInterceptor')).toBeLessThan(
    order.indexOf('addResponseInterceptor'),
  );
  multipath.destroy();
});

it('a dash.js player is attached to once, and again only where that failed', async () => {
  const dash = newDash();
  const options = { video, memory: false } as const;
  const wrong = { ...options, policyConfig: { no: 1 }, policy: 'metered' };
  await expect(attach(dash, wrong)).rejects.toThrow(OptionError);
  const first = attach(dash, options);
  const again = { option: 'mediaPlayer', message: expect.stringContaining('before') as string };
  await expect(attach(dash, options)).rejects.toMatchObject(again);
  (await first).destroy();
  await expect(attach(dash, options)).rejects.toMatchObject(again);
});
