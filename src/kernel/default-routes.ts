import { readFileSync } from 'node:fs';

/** RTF_UP and RTF_REJECT of linux/route.h. */
const UP = 0x1;
const REJECT = 0x200;
/** 0.0.0.0/0, and the first of the two halves by which OpenVPN overrides it. In the byte order of either host. */
const ANYWHERE = '00000000';
const HALF_MASKS = ['00000080', '80000000'];

interface DefaultRoute {
  interfaceName: string;
  metric: number;
  /** A longer prefix than another default route's, which precedes it whatever the metrics. */
  isHalf: boolean;
}

const isUsable = (flags: number): boolean => (flags & UP) !== 0 && (flags & REJECT) === 0;

/** @param text of /proc/net/route: the main table */
function ofIpv4(text: string): DefaultRoute[] {
  return text.split('\n').flatMap((line) => {
    const [interfaceName = '', target, , flags = '', , , metric, mask = ''] = line.split(/\s+/);
    const isHalf = HALF_MASKS.includes(mask);
    const isDefault = target === ANYWHERE && (mask === ANYWHERE || isHalf);
    if (!isDefault || !isUsable(parseInt(flags, 16))) return [];
    return [{ interfaceName, metric: Number(metric), isHalf }];
  });
}

/** @param text of /proc/net/ipv6_route: all tables */
function ofIpv6(text: string): DefaultRoute[] {
  return text.split('\n').flatMap((line) => {
    const [target = '', length, , , , metric = '', , , flags = '', interfaceName = ''] =
      line.split(/\s+/);
    const isDefault = /^0{32}$/.test(target) && length === '00';
    if (!isDefault || !isUsable(parseInt(flags, 16))) return [];
    return [{ interfaceName, metric: parseInt(metric, 16), isHalf: false }];
  });
}

const byPreference = (a: DefaultRoute, b: DefaultRoute): number =>
  Number(b.isHalf) - Number(a.isHalf) || a.metric - b.metric;

/**
 * Reads the interfaces of default routes from the kernel's tables as text. IPv4 decides; an interface with a default route
 * of IPv6 only follows.
 * @returns their names, the lowest metric first
 */
export function parseDefaultInterfaces(ipv4: string, ipv6: string): string[] {
  const routes = [...ofIpv4(ipv4).sort(byPreference), ...ofIpv6(ipv6).sort(byPreference)];
  return [...new Set(routes.map(({ interfaceName }) => interfaceName))];
}

/** Interfaces of this network namespace with a default route, the lowest metric first. */
export function defaultInterfaces(): string[] {
  return parseDefaultInterfaces(read('/proc/net/route'), read('/proc/net/ipv6_route'));
}

/** Empty where the table is absent: a kernel without IPv6 has only one. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
