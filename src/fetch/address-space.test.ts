import { expect, it } from 'vitest';
import { spaceOfAddress } from './address-space';

it.each([
  ['93.184.216.34', 'public'],
  ['2606:2800:220:1::1', 'public'],
  ['10.0.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.0', 'public'],
  ['192.168.1.1', 'private'],
  ['169.254.169.254', 'private'],
  ['100.64.0.1', 'private'],
  ['fd00::1', 'private'],
  ['fe80::1%eth0', 'private'],
  ['127.8.8.8', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:a00:1', 'private'],
  ['::ffff:93.184.216.34', 'public'],
  ['example', undefined],
])('%s is %s', (address, space) => {
  expect(spaceOfAddress(address)).toBe(space);
});
