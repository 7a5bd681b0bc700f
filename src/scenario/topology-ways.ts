import type { LinkSpec, Name, Topology } from './types';

type Graph = Pick<Topology, 'nodes' | 'links'>;

/** The node at the other end; undefined if the link is not at `node`. */
export function otherEnd(link: LinkSpec, node: Name): Name | undefined {
  if (link.a === node) return link.b;
  return link.b === node ? link.a : undefined;
}

export function linksAt(graph: Graph, node: Name): LinkSpec[] {
  return graph.links.filter((link) => link.a === node || link.b === node);
}

function isRouter(graph: Graph, node: Name): boolean {
  return graph.nodes.some(({ id, role }) => id === node && role === 'router');
}

/**
 * Breadth-first search, links in their order: the route with the fewest links, the earlier listed of equal
 * ones.
 */
function shortestWay(graph: Graph, from: Name, to: Name): Name[] | undefined {
  const ways = new Map<Name, Name[]>([[from, []]]);
  const queue = [from];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    const way = ways.get(node) ?? [];
    if (node === to) return way;
    if (node !== from && !isRouter(graph, node)) continue;
    for (const link of linksAt(graph, node)) {
      const next = otherEnd(link, node);
      if (next === undefined || ways.has(next)) continue;
      ways.set(next, [...way, link.id]);
      queue.push(next);
    }
  }
  return undefined;
}

/**
 * The default route of packets: fewest links, through routers only.
 * @param lastLink among routes of the same length the one that ends with this link is taken
 * @returns links in order; undefined if there is no route
 */
export function findWay(
  graph: Graph,
  from: Name,
  to: Name,
  lastLink?: Name,
): readonly Name[] | undefined {
  const way = shortestWay(graph, from, to);
  const last = graph.links.find(({ id }) => id === lastLink);
  const before = last === undefined ? undefined : otherEnd(last, to);
  if (way === undefined || last === undefined || before === undefined) return way;
  if (before !== from && !isRouter(graph, before)) return way;
  const rest = shortestWay(graph, from, before);
  return rest !== undefined && rest.length + 1 <= way.length ? [...rest, last.id] : way;
}

/** The end of a walk along links, or the first link that it cannot take. */
export type Walk = { ok: true; nodes: Name[] } | { ok: false; index: number; reason: string };

/** Follows links from a node; between its ends a walk may only pass routers, each once. */
export function walkAlong(graph: Graph, from: Name, via: readonly Name[]): Walk {
  const nodes = [from];
  let node = from;
  for (const [index, id] of via.entries()) {
    const link = graph.links.find((candidate) => candidate.id === id);
    const fail = (reason: string): Walk => ({ ok: false, index, reason });
    if (link === undefined) return fail(`there is no link ${id}`);
    const next = otherEnd(link, node);
    if (next === undefined) return fail(`link ${id} (${link.a} - ${link.b}) is not at ${node}`);
    if (nodes.includes(next)) return fail(`link ${id} leads back to ${next}`);
    if (index > 0 && !isRouter(graph, node)) return fail(`${node} is no router`);
    nodes.push(next);
    node = next;
  }
  return { ok: true, nodes };
}
