import {
  clientOf,
  type IpVersion,
  linksAt,
  type LinkSpec,
  type Name,
  type Topology,
} from '../../scenario';

export type Family = Exclude<IpVersion, 'dual'>;

/** An address of one family: `address/prefixLength`. */
export interface InterfaceAddress {
  family: Family;
  address: string;
  prefixLength: number;
}

/** A topology to build; leaving out links for a player does not change the numbers of the others. */
export interface LabTopology extends Topology {
  /** Number of each link, from 1. */
  linkNumbers: ReadonlyMap<Name, number>;
}

/** Links are numbered from 1 in the order of the topology; 0 is for nodes with one address. */
const FIRST_SECOND_BYTE = 77;

/** Families in use; the first is the default of names without a family. */
export function familiesOf({ ipVersion }: Topology): Family[] {
  return ipVersion === 'dual' ? ['ipv4', 'ipv6'] : [ipVersion];
}

function hostAddress(family: Family, network: number, host: number): string {
  if (family === 'ipv6') {
    // The kernel's notation: without redundant zero groups.
    const subnet = network === 0 ? '' : `:0:0:${network.toString(16)}`;
    return `fd77${subnet}::${host.toString(16)}`;
  }
  const second = FIRST_SECOND_BYTE + Math.floor(network / 256);
  return `10.${second}.${network % 256}.${host}`;
}

export function familyOfAddress(address: string): Family {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** The family to which its routes and rules apply. */
export function hostPrefix(address: string): string {
  return familyOfAddress(address) === 'ipv6' ? `${address}/128` : `${address}/32`;
}

/**
 * Link n is 10.77.n.0/24 and fd77:0:0:n::/64; the client's end is .2, else the end `b`.
 * @returns the address of `node` on `link`
 */
export function linkAddress(
  topology: LabTopology,
  link: LinkSpec,
  node: Name,
  family: Family,
): InterfaceAddress {
  const second = link.a === clientOf(topology) ? link.a : link.b;
  const network = topology.linkNumbers.get(link.id) ?? 0;
  return {
    family,
    address: hostAddress(family, network, node === second ? 2 : 1),
    prefixLength: family === 'ipv4' ? 24 : 64,
  };
}

/** The single address of a node, 10.77.0.k or fd77::k; undefined if each link has its own. */
export function oneAddress(topology: LabTopology, node: Name, family: Family): string | undefined {
  const ones = topology.nodes.filter(({ addresses }) => addresses === 'one');
  const index = ones.findIndex(({ id }) => id === node);
  return index < 0 ? undefined : hostAddress(family, 0, index + 1);
}

/** Links of the client in the order of their paths, of the server in the order of its paths, then all others. */
function linksInOrder(topology: LabTopology, node: Name): LinkSpec[] {
  const ends = topology.paths.flatMap(({ via }) => [via[0], via.at(-1)]);
  const rank = ({ id }: LinkSpec): number => {
    const index = ends.indexOf(id);
    return index < 0 ? ends.length : index;
  };
  return linksAt(topology, node).sort((x, y) => rank(x) - rank(y));
}

/** Addresses by which others reach a node, preferred one first. */
export function nodeAddresses(topology: LabTopology, node: Name, family: Family): string[] {
  const one = oneAddress(topology, node, family);
  if (one !== undefined) return [one];
  return linksInOrder(topology, node).map(
    (link) => linkAddress(topology, link, node, family).address,
  );
}
