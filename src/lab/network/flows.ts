import {
  clientOf,
  type LinkSpec,
  type Name,
  otherEnd,
  type PathSpecification,
  type RouteSpec,
  serverOf,
} from '../../scenario';
import { type Family, type LabTopology, linkAddress, nodeAddresses, oneAddress } from './addresses';

/** Packets from one of these addresses to one of those take these links. */
export interface Flow {
  from: readonly string[];
  to: readonly string[];
  start: Name;
  via: readonly Name[];
}

export function linkOf(topology: LabTopology, id: Name | undefined): LinkSpec {
  const link = topology.links.find((candidate) => candidate.id === id);
  if (link === undefined) throw new Error(`no link ${id ?? ''} in a checked topology`);
  return link;
}

/** The client's address on a path's first link. */
export function clientAddress(
  topology: LabTopology,
  path: PathSpecification,
  family: Family,
): string {
  return linkAddress(topology, linkOf(topology, path.via[0]), clientOf(topology), family).address;
}

/** The server's address of a path. */
export function serverAddress(
  topology: LabTopology,
  path: PathSpecification,
  family: Family,
): string {
  const server = serverOf(topology);
  const one = oneAddress(topology, server, family);
  return one ?? linkAddress(topology, linkOf(topology, path.via.at(-1)), server, family).address;
}

/**
 * The server's addresses reachable over a path. Every address of the server is reachable from every interface
 * of the client: over the path defined for the pair, else over the first path of that interface.
 */
export function addressesOver(
  topology: LabTopology,
  path: PathSpecification,
  family: Family,
): string[] {
  const siblings = topology.paths.filter(({ via }) => via[0] === path.via[0]);
  const own = serverAddress(topology, path, family);
  if (siblings[0] !== path) return [own];
  const taken = siblings.slice(1).map((sibling) => serverAddress(topology, sibling, family));
  const all = nodeAddresses(topology, serverOf(topology), family);
  return [own, ...all.filter((address) => address !== own && !taken.includes(address))];
}

/** Both directions of every path: packets to an interface of the client arrive over the path named after it. */
export function pathFlows(topology: LabTopology, family: Family): Flow[] {
  return topology.paths.flatMap((path) => {
    const client = [clientAddress(topology, path, family)];
    const server = addressesOver(topology, path, family);
    const { via } = path;
    return [
      { from: client, to: server, start: clientOf(topology), via },
      { from: server, to: client, start: serverOf(topology), via: [...via].reverse() },
    ];
  });
}

function endAddresses(
  topology: LabTopology,
  node: Name,
  linkId: Name | undefined,
  family: Family,
): string[] {
  if (node !== clientOf(topology)) return nodeAddresses(topology, node, family);
  return [linkAddress(topology, linkOf(topology, linkId), node, family).address];
}

function reversed({ from, to, via }: RouteSpec): RouteSpec {
  return { from: to, to: from, via: [...via].reverse() };
}

/** Routes, with the reverse of each as its default return route. */
export function routeFlows(topology: LabTopology, family: Family): Flow[] {
  const toFlow = (route: RouteSpec): Flow => ({
    from: endAddresses(topology, route.from, route.via[0], family),
    to: endAddresses(topology, route.to, route.via.at(-1), family),
    start: route.from,
    via: route.via,
  });
  const given = topology.routes.map(toFlow);
  const back = topology.routes.map((route) => toFlow(reversed(route)));
  const isGiven = (flow: Flow): boolean =>
    given.some(
      (other) =>
        `${other.from.join()}>${other.to.join()}` === `${flow.from.join()}>${flow.to.join()}`,
    );
  return [...given, ...back.filter((flow) => !isGiven(flow))];
}

/** The hops of a flow: the node, and the link by which it leaves. */
export function stepsOf(topology: LabTopology, flow: Flow): { node: Name; link: LinkSpec }[] {
  let node = flow.start;
  return flow.via.map((id) => {
    const link = linkOf(topology, id);
    const step = { node, link };
    node = otherEnd(link, node) ?? node;
    return step;
  });
}
