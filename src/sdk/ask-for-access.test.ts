import { afterEach, expect, it, vi } from 'vitest';
import { askForAccess } from './ask-for-access';

afterEach(() => vi.unstubAllGlobals());

it('waits without a limit if the page asks for it', async () => {
  const access = { feedUrl: 'ws://127.0.0.1:4711/feed', token: 'one' };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(access)));
  // A timer takes at most 2^31 - 1 ms.
  expect(await askForAccess(4711, Infinity)).toEqual(access);
});
