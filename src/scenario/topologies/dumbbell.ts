import type { DirectionSpec } from '../link-spec';
import { checkTopology } from '../topology-check';
import type { BottleneckOptions, DumbbellOptions } from '../topology-source';
import type { LinkSpec, Name, NodeRole, Topology } from '../types';
import { makeNodes } from './nodes';

const ACCESS: DirectionSpec = { delayMs: 1, queue: { discipline: 'droptail' } };

/** Left to right: the hosts at each router. */
const ACCESS_LINKS: readonly (readonly [Name, Name])[] = [
  ['h1', 'r1'],
  ['h2', 'r1'],
  ['h2', 'r2'],
  ['h3', 'r2'],
  ['r3', 's1'],
  ['r3', 's2'],
  ['r4', 's2'],
  ['r4', 's3'],
];

function backOf({ forward, back }: BottleneckOptions): DirectionSpec {
  if (back !== undefined) return back;
  const { rateBps, trace, delayMs } = forward;
  return {
    ...(rateBps === undefined ? {} : { rateBps }),
    ...(trace === undefined ? {} : { trace }),
    delayMs,
    queue: { discipline: 'droptail' },
  };
}

function bottleneck(a: Name, b: Name, options: BottleneckOptions): LinkSpec {
  return { id: `${a}-${b}`, a, b, ab: options.forward, ba: backOf(options) };
}

/** @throws TopologyError */
export function expandDumbbell(options: DumbbellOptions): Topology {
  const { access = ACCESS, mediaFrom = 'h2' } = options;
  const plays = mediaFrom === 'h2' ? 's2' : 'h2';
  const roleOf = (id: Name): NodeRole => {
    if (id === mediaFrom) return 'server';
    return id === plays ? 'client' : 'host';
  };
  const hosts = ['h1', 'h2', 'h3', 's1', 's2', 's3'];
  const routers = ['r1', 'r2', 'r3', 'r4'];
  const ways = [
    ['h2-r1', 'r1-r3', 'r3-s2'],
    ['h2-r2', 'r2-r4', 'r4-s2'],
  ];
  return checkTopology({
    ipVersion: options.ipVersion ?? 'ipv4',
    nodes: makeNodes(
      [
        ...hosts.map((id) => ({ id, role: roleOf(id) })),
        ...routers.map((id) => ({ id, role: 'router' as const })),
      ],
      options,
    ),
    links: [
      bottleneck('r1', 'r3', options.bottleneck1),
      bottleneck('r2', 'r4', options.bottleneck2),
      ...ACCESS_LINKS.map(([a, b]) => ({ id: `${a}-${b}`, a, b, ab: access, ba: access })),
    ],
    routes: [],
    paths: ways.map((via, index) => ({
      id: `path${index + 1}`,
      via: plays === 'h2' ? via : [...via].reverse(),
    })),
  });
}
