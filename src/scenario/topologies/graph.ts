import { checkGraph, checkTopology, clientOf, serverOf } from '../topology-check';
import { TopologyError } from '../topology-error';
import type { GraphOptions } from '../topology-source';
import type { PathSpecification, Topology } from '../types';
import { findWay, linksAt, otherEnd } from '../topology-ways';
import { makeNodes } from './nodes';

/** One path for each link at the client that leads to the server. */
function defaultPaths(topology: Topology): PathSpecification[] {
  const client = clientOf(topology);
  const server = serverOf(topology);
  return linksAt(topology, client).flatMap((first) => {
    // The rest of the path must not use the client's other links.
    const links = topology.links.filter(({ a, b }) => a !== client && b !== client);
    const next = otherEnd(first, client) ?? '';
    const isRouter = topology.nodes.some(({ id, role }) => id === next && role === 'router');
    if (next !== server && !isRouter) return [];
    const rest = next === server ? [] : findWay({ ...topology, links }, next, server);
    return rest === undefined ? [] : [{ id: first.id, via: [first.id, ...rest] }];
  });
}

/** @throws TopologyError */
export function expandGraph(options: GraphOptions): Topology {
  const topology: Topology = {
    ipVersion: options.ipVersion ?? 'ipv4',
    nodes: makeNodes(options.nodes, options),
    links: options.links,
    routes: options.routes ?? [],
    paths: options.paths ?? [],
  };
  if (options.paths !== undefined) return checkTopology(topology);
  const paths = defaultPaths(topology);
  if (paths.length > 0) return checkTopology({ ...topology, paths });
  // An earlier, reported mistake may be the cause.
  checkGraph(topology);
  throw new TopologyError(['paths'], 'no link at the client leads to the server through routers');
}
