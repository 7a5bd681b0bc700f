import { QUEUE_PACKETS, type StreamSetUp, type SwitchPath } from '../../experiments';
import type { Flow } from '../../lab';
import type { DirectionSpec, LinkSpec, NodeSpec, Topology } from '../../scenario';

/** A link between a host and its switch. */
const WIRE: DirectionSpec = { delayMs: 0, queue: { discipline: 'droptail', limitPackets: 10_000 } };
const SERVER_LINK = 'server-link';

export const viewerNode = (client: number): string => `viewer-${client}`;
export const viewerLink = (client: number, subflow: number): string => `v${client}-${subflow}`;
export const switchLink = (link: number): string => `link-${link}`;
const switchNode = (at: number): string => `switch-${at}`;

/**
 * Switches, the server, and a host for each client with a link for each subflow. The lab's own client watches nothing: it
 * has one namespace, and an MPTCP endpoint serves all connections of its namespace.
 */
export function switchTopology(setUp: StreamSetUp, subflows: number): Topology {
  const { graph, links, server, places } = setUp;
  const wire = (id: string, a: string, b: string): LinkSpec => ({ id, a, b, ab: WIRE, ba: WIRE });
  const node = (id: string, role: NodeSpec['role']): NodeSpec => {
    const addresses = role === 'server' ? 'one' : 'per-link';
    return { id, role, congestionControl: 'cubic', addresses };
  };
  return {
    ipVersion: 'ipv4',
    nodes: [
      node('client', 'client'),
      node('server', 'server'),
      ...Array.from({ length: graph.switches }, (_, at) => node(switchNode(at), 'router')),
      ...places.map((_, client) => node(viewerNode(client), 'host')),
    ],
    links: [
      wire('client-link', 'client', switchNode(server)),
      wire(SERVER_LINK, switchNode(server), 'server'),
      ...graph.links.map(([a, b], link) => {
        const queue = { discipline: 'droptail' as const, limitPackets: QUEUE_PACKETS };
        const spec: DirectionSpec = { delayMs: 0, ...links[link], queue };
        return { id: switchLink(link), a: switchNode(a), b: switchNode(b), ab: spec, ba: spec };
      }),
      ...places.flatMap((at, client) =>
        Array.from({ length: subflows }, (_, index) =>
          wire(viewerLink(client, index), viewerNode(client), switchNode(at)),
        ),
      ),
    ],
    routes: [],
    paths: [{ id: 'path1', via: ['client-link', SERVER_LINK] }],
  };
}

/**
 * Both directions of a client's subflows over their paths.
 * @param addresses of the client, in the order of its subflows
 */
export function subflowRoutes(
  client: number,
  chosen: readonly SwitchPath[],
  addresses: readonly string[],
  server: string,
): Flow[] {
  return chosen.flatMap((path, index) => {
    const own = addresses.slice(index, index + 1);
    const via = [viewerLink(client, index), ...path.links.map(switchLink), SERVER_LINK];
    return [
      { from: own, to: [server], start: viewerNode(client), via },
      { from: [server], to: own, start: 'server', via: [...via].reverse() },
    ];
  });
}
