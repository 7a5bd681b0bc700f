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
  // An IPv4 address within an IPv6 one: compatible, translated, NAT64, 6to4.
  ['::127.0.0.1', 'loopback'],
  ['::ffff:0:127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::5db8:d822', 'public'],
  ['64:ff9b:1::5db8:d822', 'private'],
  ['2002:c0a8:101::1', 'private'],
  ['2002:5db8:d822::1', 'public'],
  ['fec0::1', 'private'],
  ['224.0.0.251', 'private'],
  ['255.255.255.255', 'private'],
  ['ff02::1', 'private'],
  ['::1%lo', 'loopback'],
  ['example', undefined],
])('%s is %s', (address, space) => {
  expect(spaceOfAddress(address)).toBe(space);
});
