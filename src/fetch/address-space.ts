import { BlockList, isIP, isIPv6 } from 'node:net';

/** Reach of an address, from the internet to this machine. */
export const addressSpaces = ['public', 'private', 'loopback'] as const;
export type AddressSpace = (typeof addressSpaces)[number];

function blockList(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIPv6(net) ? 'ipv6' : 'ipv4');
  return list;
}

/** RFC 6890: loopback, and "this host", which Linux treats as loopback. */
const loopback = blockList([
  ['127.0.0.0', 8],
  ['0.0.0.0', 8],
  ['::1', 128],
  ['::', 128],
]);

/** RFC 1918, 6598 (carriers), 3927 and 4291 (link-local), 4193, 2544 (benchmarks). */
const local = blockList([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['198.18.0.0', 15],
  ['fc00::', 7],
  ['fe80::', 10],
]);

/** The IPv4 address in a v4-mapped IPv6 one (RFC 4291, section 2.5.5.2), in either notation. */
function unmapped(address: string): string {
  if (!isIPv6(address)) return address;
  const host = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname;
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (!mapped) return address;
  const [high, low] = [mapped[1], mapped[2]].map((part) => Number.parseInt(part ?? '', 16));
  return [high, low].flatMap((part = 0) => [part >> 8, part & 0xff]).join('.');
}

/** The space of an IPv4 or IPv6 address; undefined for anything else. */
export function spaceOfAddress(text: string): AddressSpace | undefined {
  const address = unmapped(text);
  const version = isIP(address);
  if (version === 0) return undefined;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(address, family)) return 'loopback';
  return local.check(address, family) ? 'private' : 'public';
}

/** True if `target` is nearer to this machine than `from`. */
export const isNearer = (target: AddressSpace, from: AddressSpace): boolean =>
  addressSpaces.indexOf(target) > addressSpaces.indexOf(from);
