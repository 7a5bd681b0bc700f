import os from 'node:os';
import { expect, it } from 'vitest';
import { isOwnHost } from './own-host';

const own = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);

it.each(['127.0.0.1', '[::1]', 'localhost', ...own.map(({ address }) => address)])(
  '%s is this machine',
  async (host) => {
    expect(await isOwnHost(host)).toBe(true);
  },
);

it('recognizes an address of another machine', async () => {
  expect(await isOwnHost('192.0.2.1')).toBe(false);
  expect(await isOwnHost('[2001:db8::1]')).toBe(false);
});

it('does not know a name that does not resolve', async () => {
  expect(await isOwnHost('nowhere.invalid')).toBeUndefined();
});
