import type { MediaPlayerClass } from 'dashjs';
import { afterEach, expect, it } from 'vitest';
import { attach } from './dash-player';

const video = {
  autoplay: false,
  play: () => undefined,
  pause: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
} as unknown as HTMLVideoElement;

const calls: [method: string, ...args: unknown[]][] = [];

/** A dash.js player before `initialize`, which notes what is asked of it. */
const dash = new Proxy(
  {},
  {
    has: () => true,
    get:
      (_target, method: string) =>
      (...args: unknown[]) => {
        if (method === 'getInitialMediaSettingsFor') throw new Error('not initialized');
        calls.push([method, ...args]);
        return method === 'getSettings' ? {} : undefined;
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
  [{ mode: 'header' } as const, 'header'],
])('attach sends CMCD where it is wanted: %j', async (cmcd, mode) => {
  const plain = await attach(dash, { video, memory: false });
  const without = interceptors();
  plain.destroy();
  calls.length = 0;

  const multipath = await attach(dash, { video, memory: false, cmcd });
  expect(JSON.stringify(calls)).toContain(`"cmcd":{"enabled":true,"version":2,"mode":"${mode}"`);
  expect(interceptors()).toBe(without + 1);
  multipath.destroy();
});
