import { linksAt, type NodeSpec } from '../../scenario';
import { type LabTopology, familiesOf } from './addresses';

export type Sysctl = readonly [name: string, value: string];

/** The setting for all existing and future interfaces. */
function forAll(family: 'ipv4' | 'ipv6', setting: string, value: string): Sysctl[] {
  return ['all', 'default'].map((scope) => [`net.${family}.conf.${scope}.${setting}`, value]);
}

/** Parameters of a namespace before it gets interfaces. */
export function baseSysctls(mptcp: boolean): Sysctl[] {
  return [
    ['net.mptcp.enabled', mptcp ? '1' : '0'],
    // Packets of one connection arrive on every interface: strict filtering would break joins.
    ...forAll('ipv4', 'rp_filter', '0'),
    // An interface without carrier must not attract new connections.
    ...forAll('ipv4', 'ignore_routes_with_linkdown', '1'),
    ...forAll('ipv6', 'ignore_routes_with_linkdown', '1'),
    // No unsolicited IPv6 packets on the links: they would use draws of the loss sequence. Interfaces of an
    // IPv6 network get IPv6 once these are silenced.
    ['net.ipv6.conf.default.disable_ipv6', '1'],
    ['net.ipv6.conf.default.accept_ra', '0'],
    ['net.ipv6.conf.default.router_solicitations', '0'],
    // No link-local address, so neither duplicate address detection nor multicast reports.
    ['net.ipv6.conf.default.addr_gen_mode', '1'],
  ];
}

/**
 * Linux 6.12 and later: an outage during a handshake can look like a network that drops MPTCP. The kernel then
 * makes no MPTCP connection for an hour, in every later network of the same client too. 0 turns this off and ends a
 * running hour.
 */
export const steadySysctls: readonly Sysctl[] = [['net.mptcp.blackhole_timeout', '0']];

/** Parameters of a namespace that has its interfaces. */
export function linkedSysctls(topology: LabTopology, node: NodeSpec): Sysctl[] {
  const isRouter = node.role === 'router';
  const hasIpv6 = familiesOf(topology).includes('ipv6');
  return [
    ...(isRouter
      ? ([['net.ipv4.ip_forward', '1'], ...forAll('ipv4', 'send_redirects', '0')] as const)
      : []),
    ...(isRouter && hasIpv6 ? ([['net.ipv6.conf.all.forwarding', '1']] as const) : []),
    ...(hasIpv6
      ? linksAt(topology, node.id).map(
          ({ id }) => [`net.ipv6.conf.${id}.disable_ipv6`, '0'] as const,
        )
      : []),
  ];
}

/** `ip -batch` lines between the two: without multicast a router joins no group and sends no reports. */
export function silencingLines(topology: LabTopology, node: NodeSpec): string[] {
  return linksAt(topology, node.id).map(({ id }) => `link set dev ${id} multicast off`);
}
