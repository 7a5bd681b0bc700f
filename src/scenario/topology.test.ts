import { describe, expect, it } from 'vitest';
import {
  expandTopology,
  findWay,
  walkAlong,
  type AccessLinkOptions,
  type DirectionSpec,
  type GraphOptions,
  type LinkSpec,
  type TopologySource,
} from '.';
import { TopologyError } from './topology-error';

const direction: DirectionSpec = { rateBps: 5e6, delayMs: 10, queue: { discipline: 'droptail' } };
const slow: DirectionSpec = { ...direction, rateBps: 1e6 };
const access = (id: string): AccessLinkOptions => ({ id, down: direction, up: slow });
const link = (id: string, a: string, b: string): LinkSpec => ({
  id,
  a,
  b,
  ab: slow,
  ba: direction,
});

/** client - r1 - server and client - r2 - server, a host at each router, r1 - r2. */
const graph: GraphOptions & { kind: 'graph' } = {
  kind: 'graph',
  nodes: [
    { id: 'phone', role: 'client', congestionControl: 'reno' },
    { id: 'cdn', role: 'server' },
    { id: 'r1', role: 'router' },
    { id: 'r2', role: 'router' },
    { id: 'x', role: 'host' },
    { id: 'y', role: 'host' },
  ],
  links: [
    link('wifi', 'phone', 'r1'),
    link('lte', 'phone', 'r2'),
    link('up1', 'r1', 'cdn'),
    link('up2', 'r2', 'cdn'),
    link('mid', 'r1', 'r2'),
    link('x1', 'x', 'r1'),
    link('y2', 'y', 'r2'),
  ],
};

function fieldOf(source: TopologySource): string {
  try {
    expandTopology(source);
  } catch (error) {
    if (error instanceof TopologyError) return error.message;
    throw error;
  }
  return 'no error';
}

describe('expandTopology', () => {
  it('creates a link, a path and a route for each path of a multihomed client', () => {
    const topology = expandTopology({
      kind: 'multihomed',
      paths: [access('wifi'), access('lte')],
      congestionControl: 'bbr',
      congestionControls: { client: 'reno' },
    });
    expect(topology.links[1]).toMatchObject({
      id: 'lte',
      a: 'client',
      b: 'server',
      ab: slow,
      ba: direction,
    });
    expect(topology.paths).toEqual([
      { id: 'wifi', via: ['wifi'] },
      { id: 'lte', via: ['lte'] },
    ]);
    expect(topology.nodes).toEqual([
      { id: 'client', role: 'client', congestionControl: 'reno' },
      { id: 'server', role: 'server', addresses: 'one', congestionControl: 'bbr' },
    ]);
  });

  it('builds the dumbbell of Fig. 1: two routes, the media from left to right through the AQM', () => {
    const aqm: DirectionSpec = {
      ...direction,
      lossRatio: 0.1,
      queue: { discipline: 'pie', targetMs: 5 },
    };
    const topology = expandTopology({
      kind: 'dumbbell',
      bottleneck1: { forward: aqm },
      bottleneck2: { forward: aqm },
    });
    expect(topology.paths.map(({ via }) => via)).toEqual([
      ['r3-s2', 'r1-r3', 'h2-r1'],
      ['r4-s2', 'r2-r4', 'h2-r2'],
    ]);
    const [first] = topology.links;
    expect(first).toMatchObject({ a: 'r1', b: 'r3', ab: aqm });
    expect(first?.ba).toEqual(direction);
    // Background: each pair crosses its own bottleneck; no route connects the halves.
    expect(findWay(topology, 'h1', 's1')).toEqual(['h1-r1', 'r1-r3', 'r3-s1']);
    expect(findWay(topology, 'h3', 's3')).toEqual(['h3-r2', 'r2-r4', 'r4-s3']);
    expect(findWay(topology, 'h1', 's3')).toBeUndefined();
    const turned = expandTopology({
      kind: 'dumbbell',
      bottleneck1: { forward: aqm },
      bottleneck2: { forward: aqm },
      mediaFrom: 's2',
    });
    expect(turned.nodes.find(({ role }) => role === 'client')?.id).toBe('h2');
    expect(turned.paths[1]?.via).toEqual(['h2-r2', 'r2-r4', 'r4-s2']);
  });

  it('gives three paths the round trips and the loss of the paper by default', () => {
    const topology = expandTopology({
      kind: 'three-path',
      variant: '3p-150',
      paths: [access('wired')],
    });
    expect(topology.links.map(({ ba }) => [ba.rateBps, ba.delayMs, ba.lossRatio])).toEqual([
      [2e6, 75, 0.02],
      [2e6, 100, 0],
      [5e6, 10, undefined],
    ]);
  });

  it('leads every access link over the shared one', () => {
    const topology = expandTopology({
      kind: 'shared-bottleneck',
      access: [access('wifi'), access('lte')],
      shared: { down: slow, up: slow },
    });
    expect(topology.paths.map(({ via }) => via)).toEqual([
      ['wifi', 'shared'],
      ['lte', 'shared'],
    ]);
  });

  it('finds the paths of a graph: one for each link at the client', () => {
    const topology = expandTopology(graph);
    expect(topology.paths).toEqual([
      { id: 'wifi', via: ['wifi', 'up1'] },
      { id: 'lte', via: ['lte', 'up2'] },
    ]);
    expect(topology.nodes[0]?.congestionControl).toBe('reno');
  });

  it.each<[string, TopologySource]>([
    ['paths: 0 paths: 1 to 8', { kind: 'multihomed', paths: [] }],
    [
      'paths[1].id: "a" is taken: number 1 has it',
      { kind: 'multihomed', paths: [access('a'), access('a')] },
    ],
    [
      'paths[0].id: "interface-name-16" is no name',
      { kind: 'multihomed', paths: [access('interface-name-16')] },
    ],
    ['paths[0].id: "lo" is the kernel', { kind: 'multihomed', paths: [access('lo')] }],
    [
      'congestionControls.router: there is no node router; there are client, server',
      { kind: 'multihomed', paths: [access('a')], congestionControls: { router: 'cubic' } },
    ],
    [
      'congestionControl: "CUBIC!" is no name',
      { kind: 'multihomed', paths: [access('a')], congestionControl: 'CUBIC!' },
    ],
    [
      'paths[0].id: "dsl" is none of wifi5, wifi24, wired',
      { kind: 'three-path', variant: 'baseline', paths: [access('dsl')] },
    ],
    [
      'shared.id: "a" is an access link already',
      {
        kind: 'shared-bottleneck',
        access: [access('a'), access('b')],
        shared: { id: 'a', down: slow, up: slow },
      },
    ],
    [
      'nodes[1].role: phone is the client already',
      {
        ...graph,
        nodes: [
          graph.nodes[0] ?? access('x'),
          { id: 'b', role: 'client' },
        ] as GraphOptions['nodes'],
      },
    ],
    [
      'nodes: no node has the role server',
      { ...graph, nodes: graph.nodes.filter(({ role }) => role !== 'server') },
    ],
    [
      'links[7].b: there is no node z; there are phone',
      { ...graph, links: [...graph.links, link('q', 'x', 'z')] },
    ],
    [
      'links[7].b: the link goes from x to itself',
      { ...graph, links: [...graph.links, link('q', 'x', 'x')] },
    ],
    [
      'links[7].id: "wifi" is taken',
      { ...graph, links: [...graph.links, link('wifi', 'x', 'r1')] },
    ],
    ['nodes[5]: nothing connects y with phone', { ...graph, links: graph.links.slice(0, 6) }],
    [
      'routes[0].via[1]: there is no link q',
      { ...graph, routes: [{ from: 'x', to: 'y', via: ['x1', 'q'] }] },
    ],
    [
      'routes[0].via[1]: link y2 (y - r2) is not at r1',
      { ...graph, routes: [{ from: 'x', to: 'y', via: ['x1', 'y2'] }] },
    ],
    [
      'routes[0].via: the links end at r2, not at y',
      { ...graph, routes: [{ from: 'x', to: 'y', via: ['x1', 'mid'] }] },
    ],
    [
      'routes[0].via[2]: phone is no router',
      { ...graph, routes: [{ from: 'x', to: 'y', via: ['x1', 'wifi', 'lte', 'y2'] }] },
    ],
    [
      'routes[0].via: the list of links is empty',
      { ...graph, routes: [{ from: 'x', to: 'y', via: [] }] },
    ],
    [
      'routes[0].to: there is no node z',
      { ...graph, routes: [{ from: 'x', to: 'z', via: ['x1'] }] },
    ],
    [
      'paths: 5 paths: 1 to 4',
      {
        kind: 'multihomed',
        ipVersion: 'dual',
        paths: ['a', 'b', 'c', 'd', 'e'].map(access),
      },
    ],
    [
      'nodes[0].addresses: the client has an address for each link',
      {
        ...graph,
        nodes: graph.nodes.map((node) =>
          node.id === 'phone' ? { ...node, addresses: 'one' } : node,
        ),
      },
    ],
    [
      'routes[1]: route 1 is from x to y already',
      { ...graph, routes: [0, 1].map(() => ({ from: 'x', to: 'y', via: ['x1', 'mid', 'y2'] })) },
    ],
    [
      'paths[0].via[0]: link up1 (r1 - cdn) is not at phone',
      { ...graph, paths: [{ id: 'p', via: ['up1'] }] },
    ],
    [
      'paths[0].via[2]: link mid leads back to r1',
      { ...graph, paths: [{ id: 'p', via: ['wifi', 'mid', 'mid'] }] },
    ],
    [
      'paths[1].via: path p joins the same two addresses',
      { ...graph, paths: ['p', 'q'].map((id) => ({ id, via: ['wifi', 'up1'] })) },
    ],
    [
      'paths: no link at the client leads to the server',
      {
        ...graph,
        nodes: graph.nodes.map((node) =>
          node.role === 'router' ? { ...node, role: 'host' } : node,
        ),
      },
    ],
  ])('refuses with "%s"', (message, source) => {
    expect(fieldOf(source)).toContain(message);
  });
});

describe('ways', () => {
  const topology = expandTopology(graph);

  it('prefers the requested last link among routes of the same length, and only among those', () => {
    expect(findWay(topology, 'x', 'phone', 'wifi')).toEqual(['x1', 'wifi']);
    expect(findWay(topology, 'x', 'phone', 'lte')).toEqual(['x1', 'wifi']);
    const square = expandTopology({ ...graph, links: [...graph.links, link('x2', 'x', 'r2')] });
    expect(findWay(square, 'x', 'phone', 'lte')).toEqual(['x2', 'lte']);
  });

  it('returns the nodes a walk passes', () => {
    expect(walkAlong(topology, 'x', ['x1', 'mid', 'y2'])).toEqual({
      ok: true,
      nodes: ['x', 'r1', 'r2', 'y'],
    });
  });
});
