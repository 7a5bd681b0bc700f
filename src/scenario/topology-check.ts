import { TopologyError } from './topology-error';
import { checkCongestionControl, checkCount, checkNames } from './topology-names';
import { otherEnd, walkAlong } from './topology-ways';
import type { Name, NodeRole, RouteSpec, Topology } from './types';

/** The kernel's limit of endpoints, and of subflows per connection; dual stack halves it. */
export const MAX_PATHS = 8;
/** Interface addresses use one byte pair for the link; this is far below. */
const MAX_LINKS = 1000;

function onlyNode(topology: Topology, role: NodeRole): Name {
  const [first, second] = topology.nodes.filter((node) => node.role === role);
  if (first === undefined) {
    throw new TopologyError(['nodes'], `no node has the role ${role}: exactly one has to`);
  }
  if (second === undefined) return first.id;
  throw new TopologyError(
    ['nodes', topology.nodes.indexOf(second), 'role'],
    `${first.id} is the ${role} already: there is exactly one`,
  );
}

/** The node that plays. */
export function clientOf(topology: Topology): Name {
  return onlyNode(topology, 'client');
}

/** The node that serves the media. */
export function serverOf(topology: Topology): Name {
  return onlyNode(topology, 'server');
}

function checkNodes(topology: Topology): void {
  checkNames(
    topology.nodes.map(({ id }) => id),
    (index) => ['nodes', index, 'id'],
  );
  for (const [index, { congestionControl }] of topology.nodes.entries()) {
    checkCongestionControl(congestionControl, ['nodes', index, 'congestionControl']);
  }
  serverOf(topology);
  const client = clientOf(topology);
  const index = topology.nodes.findIndex(
    ({ id, addresses }) => id === client && addresses === 'one',
  );
  if (index < 0) return;
  throw new TopologyError(
    ['nodes', index, 'addresses'],
    'the client has an address for each link: they identify its paths',
  );
}

function checkNode(topology: Topology, name: Name, field: (string | number)[]): void {
  if (topology.nodes.some(({ id }) => id === name)) return;
  const known = topology.nodes.map(({ id }) => id).join(', ');
  throw new TopologyError(field, `there is no node ${name}; there are ${known}`);
}

function checkLinks(topology: Topology): void {
  checkCount('links', topology.links.length, [1, MAX_LINKS], ['links']);
  checkNames(
    topology.links.map(({ id }) => id),
    (index) => ['links', index, 'id'],
  );
  for (const [index, { a, b }] of topology.links.entries()) {
    checkNode(topology, a, ['links', index, 'a']);
    checkNode(topology, b, ['links', index, 'b']);
    if (a === b)
      throw new TopologyError(['links', index, 'b'], `the link goes from ${a} to itself`);
  }
}

function checkConnected({ nodes, links }: Topology): void {
  const reached = new Set<Name>(nodes.slice(0, 1).map(({ id }) => id));
  // Iterating a set includes elements added during the iteration.
  for (const node of reached) {
    for (const link of links) {
      const next = otherEnd(link, node);
      if (next !== undefined) reached.add(next);
    }
  }
  const index = nodes.findIndex(({ id }) => !reached.has(id));
  const lost = nodes[index];
  if (lost === undefined) return;
  throw new TopologyError(
    ['nodes', index],
    `nothing connects ${lost.id} with ${nodes[0]?.id ?? ''}: give it a link`,
  );
}

/** A walk from one node must end at another. */
function checkWay(topology: Topology, route: RouteSpec, field: (string | number)[]): void {
  if (route.via.length === 0) throw new TopologyError(field, 'the list of links is empty');
  const walk = walkAlong(topology, route.from, route.via);
  if (!walk.ok) throw new TopologyError([...field, walk.index], walk.reason);
  const end = walk.nodes.at(-1) ?? route.from;
  if (end === route.to) return;
  throw new TopologyError(field, `the links end at ${end}, not at ${route.to}`);
}

function checkRoutes(topology: Topology): void {
  const seen = new Map<string, number>();
  const client = clientOf(topology);
  for (const [index, route] of topology.routes.entries()) {
    checkNode(topology, route.from, ['routes', index, 'from']);
    checkNode(topology, route.to, ['routes', index, 'to']);
    checkWay(topology, route, ['routes', index, 'via']);
    // The client has an address, and so a route, for each of its links.
    const own = route.from === client ? route.via[0] : route.to === client ? route.via.at(-1) : '';
    const key = `${route.from} ${route.to} ${own ?? ''}`;
    const first = seen.get(key);
    if (first !== undefined) {
      throw new TopologyError(
        ['routes', index],
        `route ${first + 1} is from ${route.from} to ${route.to} already`,
      );
    }
    seen.set(key, index);
  }
}

function checkPaths(topology: Topology): void {
  const { paths } = topology;
  const client = clientOf(topology);
  const server = serverOf(topology);
  // Every interface is two endpoints with dual stack.
  const most = topology.ipVersion === 'dual' ? MAX_PATHS / 2 : MAX_PATHS;
  checkCount('paths', paths.length, [1, most], ['paths']);
  checkNames(
    paths.map(({ id }) => id),
    (index) => ['paths', index, 'id'],
  );
  const isOne = topology.nodes.some(({ id, addresses }) => id === server && addresses === 'one');
  const seen = new Map<string, Name>();
  for (const [index, { id, via }] of paths.entries()) {
    checkWay(topology, { from: client, to: server, via }, ['paths', index, 'via']);
    const key = isOne ? (via[0] ?? '') : `${via[0] ?? ''} ${via.at(-1) ?? ''}`;
    const first = seen.get(key);
    if (first !== undefined) {
      throw new TopologyError(
        ['paths', index, 'via'],
        `path ${first} joins the same two addresses: nothing would distinguish them`,
      );
    }
    seen.set(key, id);
  }
}

/**
 * Checks all parts but the paths.
 * @throws TopologyError
 */
export function checkGraph(topology: Topology): void {
  checkNodes(topology);
  checkLinks(topology);
  checkConnected(topology);
  checkRoutes(topology);
}

/**
 * Checks the rules of every network: names, one client, one server, a connected graph, routes and paths
 * through routers.
 * @throws TopologyError that names the field of the expanded topology
 */
export function checkTopology(topology: Topology): Topology {
  checkGraph(topology);
  checkPaths(topology);
  return topology;
}
