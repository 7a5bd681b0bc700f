import { clientOf, findWay, linksAt, type LinkSpec, type Name, otherEnd } from '../../scenario';
import {
  type Family,
  familyOfAddress,
  hostPrefix,
  type LabTopology,
  linkAddress,
  oneAddress,
} from './addresses';
import {
  addressesOver,
  clientAddress,
  type Flow,
  linkOf,
  pathFlows,
  routeFlows,
  stepsOf,
} from './flows';

/** Table of everything that leaves by a link: 1000 + number of the link. */
const FIRST_TABLE = 1000;
/** Rule priorities: routes of {@link LabNetwork.route}, the topology's, then paths, then packets from an address of a path. */
const PRIORITIES = { later: 400, route: 500, path: 1000, source: 2000 } as const;
/** Metric of the first path's route to the server; later paths count up. The first with a carrier is used. */
const FIRST_METRIC = 101;

function tableOf(topology: LabTopology, link: LinkSpec): string {
  return String(FIRST_TABLE + (topology.linkNumbers.get(link.id) ?? 0));
}

/**
 * `10.77.3.2/32 via 10.77.1.1 dev wifi congctl cubic`. The route sets the congestion control if the kernel
 * refuses the sysctl. It is not locked, because iperf3 could not request the same one then. Joins to a
 * listener with socket options get the namespace's default again, so an MPTCP server sets it on its listener
 * too. `via` is absent for the neighbour itself, as IPv6 requires.
 */
function routeTo(
  topology: LabTopology,
  address: string | undefined,
  node: Name,
  link: LinkSpec,
  family: Family,
): string {
  const peer = linkAddress(topology, link, otherEnd(link, node) ?? '', family).address;
  const spec = topology.nodes.find(({ id }) => id === node);
  const own = oneAddress(topology, node, family);
  const everything = family === 'ipv4' ? '0.0.0.0/0' : '::/0';
  return [
    address === undefined ? everything : hostPrefix(address),
    ...(address === peer ? [] : [`via ${peer}`]),
    `dev ${link.id}`,
    ...(own === undefined ? [] : [`src ${own}`]),
    `congctl ${spec?.congestionControl ?? ''}`,
  ].join(' ');
}

function tableLines(topology: LabTopology, node: Name, family: Family): string[] {
  return linksAt(topology, node).map(
    (link) =>
      `route add ${routeTo(topology, undefined, node, link, family)} table ${tableOf(topology, link)}`,
  );
}

function ruleLines(
  topology: LabTopology,
  node: Name,
  flows: readonly Flow[],
  priority: number,
): string[] {
  return flows.flatMap((flow) =>
    stepsOf(topology, flow)
      .filter((step) => step.node === node)
      .flatMap(({ link }) =>
        flow.from.flatMap((from) =>
          flow.to.map(
            (to) =>
              `rule add from ${hostPrefix(from)} to ${hostPrefix(to)} table ${tableOf(topology, link)} priority ${priority}`,
          ),
        ),
      ),
  );
}

/** `ip -batch` lines that route later flows at a node, before any other. */
export function laterLines(topology: LabTopology, node: Name, flows: readonly Flow[]): string[] {
  return ruleLines(topology, node, flows, PRIORITIES.later);
}

/** Addresses of a link and the link by which they are reached best. */
function destinations(
  topology: LabTopology,
  node: Name,
  family: Family,
): { address: string; owner: Name; link?: Name }[] {
  return topology.nodes
    .filter(({ id }) => id !== node)
    .flatMap(({ id }) => {
      const perLink = linksAt(topology, id).map((link) => ({
        address: linkAddress(topology, link, id, family).address,
        owner: id,
        link: link.id,
      }));
      const one = oneAddress(topology, id, family);
      return one === undefined ? perLink : [...perLink, { address: one, owner: id }];
    });
}

/** Routes a node's packets for the address that a middlebox gives to the sender: to the middlebox's link. */
export function natLines(
  topology: LabTopology,
  node: Name,
  family: Family,
  { id, a, b }: LinkSpec,
  address: string | undefined,
): string[] {
  if (address === undefined || node === a || familyOfAddress(address) !== family) {
    return [];
  }
  const first = (node === b ? [id] : findWay(topology, node, b))?.[0];
  if (first === undefined) return [];
  return [`route add ${routeTo(topology, address, node, linkOf(topology, first), family)}`];
}

/** One route for each address of every other node, over the fewest links. */
function mainLines(topology: LabTopology, node: Name, family: Family): string[] {
  const overPaths =
    node === clientOf(topology)
      ? topology.paths.flatMap((path) => addressesOver(topology, path, family))
      : [];
  return destinations(topology, node, family).flatMap(({ address, owner, link }) => {
    const first = findWay(topology, node, owner, link)?.[0];
    if (first === undefined || overPaths.includes(address)) return [];
    return [`route add ${routeTo(topology, address, node, linkOf(topology, first), family)}`];
  });
}

/** The client's routes to the server for connections that choose no interface, and for those that do. */
function clientLines(topology: LabTopology, family: Family): string[] {
  const client = clientOf(topology);
  return topology.paths.flatMap((path, index) => {
    const link = linkOf(topology, path.via[0]);
    const source = hostPrefix(clientAddress(topology, path, family));
    return [
      ...addressesOver(topology, path, family).map(
        (address) =>
          `route add ${routeTo(topology, address, client, link, family)} metric ${FIRST_METRIC + index}`,
      ),
      `rule add from ${source} table ${tableOf(topology, link)} priority ${PRIORITIES.source}`,
    ];
  });
}

/**
 * `ip -batch` lines of one family that route a node's packets: by route, by path, else by the fewest links.
 * Addresses and interfaces must exist.
 */
export function routingLines(topology: LabTopology, node: Name, family: Family): string[] {
  const lines = [
    ...tableLines(topology, node, family),
    ...ruleLines(topology, node, routeFlows(topology, family), PRIORITIES.route),
    ...ruleLines(topology, node, pathFlows(topology, family), PRIORITIES.path),
    ...mainLines(topology, node, family),
    ...topology.links.flatMap((link) =>
      natLines(topology, node, family, link, link.middlebox?.nat?.address),
    ),
    ...(node === clientOf(topology) ? clientLines(topology, family) : []),
  ];
  return [...new Set(lines)];
}

/** Lines that give a node its addresses of one family. */
export function addressLines(topology: LabTopology, node: Name, family: Family): string[] {
  const flags = family === 'ipv6' ? ' nodad' : '';
  const one = oneAddress(topology, node, family);
  return [
    ...(one === undefined ? [] : [`address add ${hostPrefix(one)} dev lo${flags}`]),
    ...linksAt(topology, node).map((link) => {
      const { address, prefixLength } = linkAddress(topology, link, node, family);
      return `address add ${address}/${prefixLength} dev ${link.id}${flags}`;
    }),
  ];
}
