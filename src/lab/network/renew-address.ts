import { clientOf, type LinkSpec, type Name } from '../../scenario';
import { familiesOf, hostPrefix, type Family, type LabTopology, linkAddress } from './addresses';
import { routingLines } from './routing';

/** `ip -batch` lines for one node and family. */
export interface NodeLines {
  node: Name;
  family: Family;
  lines: readonly string[];
}

/** The host numbers 1 and 2 are the link's own ends. */
const FIRST_OTHER_HOST = 3;
/** Number of host numbers before they repeat: all stay inside of a /24. Chosen; no measurement. */
const OTHER_HOSTS = 200;

/** The address with another host number: 10.77.1.2 -> 10.77.1.3, fd77::2 -> fd77::3. */
function withHost(address: string, family: Family, renewals: number): string {
  const host = FIRST_OTHER_HOST + ((renewals - 1) % OTHER_HOSTS);
  const separator = family === 'ipv6' ? ':' : '.';
  const network = address.slice(0, address.lastIndexOf(separator) + 1);
  return network + host.toString(family === 'ipv6' ? 16 : 10);
}

/** The client's address on a link after so many renewals; 0 is the first one. */
function clientAddressAt(
  lab: LabTopology,
  link: LinkSpec,
  family: Family,
  renewals: number,
): { address: string; prefixLength: number } {
  const first = linkAddress(lab, link, clientOf(lab), family);
  return renewals === 0 ? first : { ...first, address: withHost(first.address, family, renewals) };
}

/** Rules and routes of a node that name the client's address, for the address after so many renewals. */
function linesFor(
  lab: LabTopology,
  link: LinkSpec,
  node: Name,
  family: Family,
  renewals: number,
): string[] {
  const first = hostPrefix(clientAddressAt(lab, link, family, 0).address);
  const now = hostPrefix(clientAddressAt(lab, link, family, renewals).address);
  return routingLines(lab, node, family)
    .filter((line) => line.split(' ').includes(first))
    .map((line) => line.replace(first, now));
}

/**
 * Gives the client's end of a link another address of the same network, as after a new DHCP lease. Every node
 * gets its routes and rules for the new address. The client's other routes over the link are set again: the
 * kernel drops them with the old address.
 * @param renewals how many times the address has changed, this time included
 */
export function renewalLines(lab: LabTopology, link: LinkSpec, renewals: number): NodeLines[] {
  const client = clientOf(lab);
  return familiesOf(lab).flatMap((family): NodeLines[] => {
    const of = (count: number): string => {
      const { address, prefixLength } = clientAddressAt(lab, link, family, count);
      return `${address}/${prefixLength} dev ${link.id}`;
    };
    const flags = family === 'ipv6' ? ' nodad' : '';
    const overLink = routingLines(lab, client, family)
      .filter((line) => line.startsWith('route add') && line.includes(` dev ${link.id} `))
      .map((line) => line.replace('route add', 'route replace'));
    return lab.nodes.map(({ id: node }) => ({
      node,
      family,
      lines: [
        ...(node === client
          ? [`address del ${of(renewals - 1)}`, `address add ${of(renewals)}${flags}`, ...overLink]
          : []),
        ...linesFor(lab, link, node, family, renewals),
      ],
    }));
  });
}

/** Removes the client's rules for the addresses of so many renewals, which outlive the link. */
export function undoRenewalLines(lab: LabTopology, link: LinkSpec, renewals: number): NodeLines[] {
  const client = clientOf(lab);
  return familiesOf(lab).map((family) => ({
    node: client,
    family,
    lines: Array.from({ length: renewals }, (_, index) =>
      linesFor(lab, link, client, family, index + 1),
    )
      .flat()
      .filter((line) => line.startsWith('rule'))
      .map((line) => line.replace('rule add', 'rule del')),
  }));
}
