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

/**
 * RFC 1918, 6598 (carriers), 3927 and 4291 (link-local), 4193, 2544 (benchmarks), 6890 (protocol assignments, reserved),
 * 3879 (site-local), 8215 (local translation to IPv4), multicast.
 */
const local = blockList([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

/** Prefixes of IPv6 addresses that hold an IPv4 address, as groups, and the group where it begins. */
const carriers: readonly (readonly [groups: readonly number[], at: number])[] = [
  // RFC 4291, sections 2.5.5.1 and 2.5.5.2: compatible and mapped.
  [[0, 0, 0, 0, 0, 0], 6],
  [[0, 0, 0, 0, 0, 0xffff], 6],
  // RFC 7915 and RFC 6052: translated on this machine, and by the network (NAT64).
  [[0, 0, 0, 0, 0xffff, 0], 6],
  [[0x64, 0xff9b, 0, 0, 0, 0], 6],
  // RFC 3056: 6to4.
  [[0x2002], 1],
];

/** The IPv4 address that an IPv6 one stands for; any other address as it is. */
function unwrapped(address: string): string {
  if (!isIPv6(address) || loopback.check(address, 'ipv6')) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const groups = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  const at = carriers.find(([prefix]) => prefix.every((group, i) => groups[i] === group))?.[1];
  if (at === undefined) return address;
  return groups
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The space of an IPv4 or IPv6 address; undefined for anything else. */
export function spaceOfAddress(text: string): AddressSpace | undefined {
  const address = unwrapped(text.replace(/%.*$/, ''));
  const version = isIP(address);
  if (version === 0) return undefined;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(address, family)) return 'loopback';
  return local.check(address, family) ? 'private' : 'public';
}

/**
 * The space of a host by its text alone: an address, or a name that Chromium takes for this machine by itself (RFC 6761,
 * section 6.3). Undefined for a name that must be resolved.
 */
export const spaceOfHost = (host: string): AddressSpace | undefined =>
  spaceOfAddress(host) ?? (/(^|\.)localhost\.?$/i.test(host) ? 'loopback' : undefined);

/** True if `target` is nearer to this machine than `from`. */
export const isNearer = (target: AddressSpace, from: AddressSpace): boolean =>
  addressSpaces.indexOf(target) > addressSpaces.indexOf(from);
