import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DirectionSpec,
  expandTopology,
  type LinkSpec,
  type RouteSpec,
  type Topology,
  type TopologySource,
} from '../../scenario';
import { familiesOf, linkAddress, nodeAddresses } from './addresses';
import { labTopology } from './lab-topology';
import { mptcpLines } from './mptcp-plan';
import { addressLines, routingLines } from './routing';

const direction: DirectionSpec = { rateBps: 5e6, delayMs: 10, queue: { discipline: 'droptail' } };
const access = (id: string): { id: string; down: DirectionSpec; up: DirectionSpec } => ({
  id,
  down: direction,
  up: direction,
});
const multihomed: TopologySource = { kind: 'multihomed', paths: [access('wifi'), access('lte')] };
const dumbbell: TopologySource = {
  kind: 'dumbbell',
  bottleneck1: { forward: direction },
  bottleneck2: { forward: direction },
};
const lab = (source: TopologySource, usePaths?: string[]): ReturnType<typeof labTopology> =>
  labTopology(expandTopology(source), usePaths);

const memory = new WeakMap<object, Map<string, string[][]>>();

function wordsOf(
  topology: ReturnType<typeof lab>,
  node: string,
  family: 'ipv4' | 'ipv6',
): string[][] {
  const known = memory.get(topology) ?? new Map<string, string[][]>();
  memory.set(topology, known);
  const words =
    known.get(`${node} ${family}`) ??
    routingLines(topology, node, family).map((line) => line.split(' '));
  known.set(`${node} ${family}`, words);
  return words;
}

/**
 * Follows a packet by the lines of every node, as the kernel reads them: rules by priority, then the main
 * table.
 * @returns the links it takes; ends with `lost` at a node without a route
 */
function travel(
  topology: ReturnType<typeof lab>,
  from: string,
  to: string,
  start: string,
): string[] {
  const family = to.includes(':') ? 'ipv6' : 'ipv4';
  const taken: string[] = [];
  let node = start;
  while (taken.length < 20) {
    const addresses = topology.links
      .filter(({ a, b }) => a === node || b === node)
      .map((link) => linkAddress(topology, link, node, family).address);
    if ([...addresses, ...nodeAddresses(topology, node, family)].includes(to)) return taken;
    const words = wordsOf(topology, node, family);
    const after = (line: string[], word: string): string => line[line.indexOf(word) + 1] ?? '';
    const bare = (prefix: string): string => prefix.split('/')[0] ?? '';
    const tables = words
      .filter((line) => line[0] === 'rule' && bare(after(line, 'from')) === from)
      .filter((line) => !line.includes('to') || bare(after(line, 'to')) === to)
      .sort((x, y) => Number(after(x, 'priority')) - Number(after(y, 'priority')))
      .map((line) => after(line, 'table'));
    const metric = (line: string[]): number =>
      line.includes('metric') ? Number(after(line, 'metric')) : 0;
    const routes = words.filter((line) => line[0] === 'route');
    const main = routes
      .filter((line) => !line.includes('table') && bare(line[2] ?? '') === to)
      .sort((x, y) => metric(x) - metric(y));
    const [route] = [
      ...tables.flatMap((table) => routes.filter((line) => after(line, 'table') === table)),
      ...main,
    ];
    const device = route === undefined ? '' : after(route, 'dev');
    const link = topology.links.find(({ id }) => id === device);
    if (link === undefined) return [...taken, 'lost'];
    taken.push(link.id);
    node = link.a === node ? link.b : link.a;
  }
  return [...taken, 'loop'];
}

describe('addresses', () => {
  it('keeps the numbers of the rest when a player has fewer paths', () => {
    const topology = lab(multihomed, ['lte']);
    expect(topology.links.map(({ id }) => id)).toEqual(['lte']);
    expect(nodeAddresses(topology, 'client', 'ipv4')).toEqual(['10.77.2.2']);
    expect(nodeAddresses(topology, 'server', 'ipv4')).toEqual(['10.77.0.1']);
    expect(() => lab(multihomed, ['dsl'])).toThrow('there is no path dsl; there are wifi, lte');
  });

  it('gives every interface of a large dual-stack graph its own address', () => {
    const hosts = Array.from({ length: 600 }, (_, index) => `h${index}`);
    const link = (id: string, a: string): LinkSpec => ({
      id,
      a,
      b: 'r',
      ab: direction,
      ba: direction,
    });
    const topology = lab({
      kind: 'graph',
      ipVersion: 'dual',
      nodes: [
        { id: 'r', role: 'router' },
        { id: 'c', role: 'client' },
        { id: 's', role: 'server' },
        ...hosts.map((id) => ({ id, role: 'host' as const })),
      ],
      links: ['c', 's', ...hosts].map((id) => link(`l-${id}`, id)),
    });
    const all = familiesOf(topology).flatMap((family) =>
      topology.links.flatMap((each) =>
        [each.a, each.b].map((node) => linkAddress(topology, each, node, family).address),
      ),
    );
    expect(new Set(all).size).toBe(602 * 4);
    expect(all).toContain('10.79.90.2');
    expect(addressLines(topology, 'c', 'ipv6')).toEqual([
      'address add fd77:0:0:1::2/64 dev l-c nodad',
    ]);
  });

  it('lists the address of the first path first', () => {
    const topology = lab(dumbbell);
    expect(nodeAddresses(topology, 's2', 'ipv4')).toEqual(['10.77.8.2', '10.77.9.2']);
    expect(nodeAddresses(topology, 'h2', 'ipv4')).toEqual(['10.77.4.1', '10.77.5.1']);
  });
});

describe('routing', () => {
  it('takes the bottleneck of the client interface, for any address of the server', () => {
    const topology = lab(dumbbell);
    const first = ['r3-s2', 'r1-r3', 'h2-r1'];
    const second = ['r4-s2', 'r2-r4', 'h2-r2'];
    for (const server of ['10.77.4.1', '10.77.5.1']) {
      expect(travel(topology, '10.77.8.2', server, 's2')).toEqual(first);
      expect(travel(topology, '10.77.9.2', server, 's2')).toEqual(second);
      expect(travel(topology, server, '10.77.8.2', 'h2')).toEqual([...first].reverse());
      expect(travel(topology, server, '10.77.9.2', 'h2')).toEqual([...second].reverse());
    }
    expect(travel(topology, '', '10.77.5.1', 's2')).toEqual(first);
    expect(travel(topology, '10.77.6.1', '10.77.10.2', 'h3')).toEqual(['h3-r2', 'r2-r4', 'r4-s3']);
    expect(travel(topology, '10.77.3.1', '10.77.10.2', 'h1')).toEqual(['lost']);
  });

  it('distinguishes paths over one interface by the server’s address', () => {
    const link = (id: string, a: string, b: string): LinkSpec => ({
      id,
      a,
      b,
      ab: direction,
      ba: direction,
    });
    const topology = lab({
      kind: 'graph',
      nodes: [
        { id: 'c', role: 'client' },
        { id: 's', role: 'server' },
        { id: 'r', role: 'router' },
      ],
      links: [link('wifi', 'c', 'r'), link('up1', 'r', 's'), link('up2', 'r', 's')],
      paths: [
        { id: 'one', via: ['wifi', 'up1'] },
        { id: 'two', via: ['wifi', 'up2'] },
      ],
    });
    expect(travel(topology, '10.77.1.2', '10.77.2.2', 'c')).toEqual(['wifi', 'up1']);
    expect(travel(topology, '10.77.1.2', '10.77.3.2', 'c')).toEqual(['wifi', 'up2']);
    expect(travel(topology, '10.77.3.2', '10.77.1.2', 's')).toEqual(['up2', 'wifi']);
    expect(mptcpLines(topology, 'c')).toEqual([
      'mptcp limits set subflow 8 add_addr_accepted 8',
      'mptcp endpoint add 10.77.1.2 dev wifi subflow fullmesh',
    ]);
  });

  it('routes the address that a NAT writes to the NAT’s link', () => {
    const topology = lab({
      kind: 'shared-bottleneck',
      access: [{ ...access('wifi'), middlebox: { nat: { address: '192.0.2.7' } } }, access('lte')],
      shared: { down: direction, up: direction },
    });
    expect(routingLines(topology, 'gateway', 'ipv4')).toContain(
      'route add 192.0.2.7/32 via 10.77.1.2 dev wifi congctl cubic',
    );
    expect(routingLines(topology, 'server', 'ipv4')).toContain(
      'route add 192.0.2.7/32 via 10.77.3.1 dev shared congctl cubic',
    );
    expect(routingLines(topology, 'client', 'ipv4').join('\n')).not.toContain('192.0.2.7');
  });

  it('sends packets of a pair over its route and back, all others over the fewest links', () => {
    // Routers in a ring of 3 to 6, a host at each; routes take the longer direction.
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 6 }),
        fc.constantFrom('ipv4' as const, 'ipv6' as const),
        fc.boolean(),
        (size, family, isBackGiven) => {
          const numbers = Array.from({ length: size }, (_, index) => index);
          const name = (prefix: string, index: number): string =>
            `${prefix}${(index + size) % size}`;
          const link = (id: string, a: string, b: string): LinkSpec => ({
            id,
            a,
            b,
            ab: direction,
            ba: direction,
          });
          const long = ['a0', ...numbers.slice(1).map((index) => name('ring', -index)), 'a1'];
          const short = ['a1', 'ring0', 'a0'];
          const routes: RouteSpec[] = [{ from: 'h0', to: 'h1', via: long }];
          if (isBackGiven) routes.push({ from: 'h1', to: 'h0', via: short });
          const topology = lab({
            kind: 'graph',
            ipVersion: family,
            nodes: [
              { id: 'c', role: 'client' },
              { id: 's', role: 'server' },
              ...numbers.flatMap((index) => [
                { id: name('r', index), role: 'router' as const },
                { id: name('h', index), role: 'host' as const },
              ]),
            ],
            links: [
              link('wifi', 'c', 'r0'),
              link('cdn', 'r1', 's'),
              ...numbers.flatMap((index) => [
                link(name('ring', index), name('r', index), name('r', index + 1)),
                link(name('a', index), name('h', index), name('r', index)),
              ]),
            ],
            routes,
          });
          const address = (node: string): string => nodeAddresses(topology, node, family)[0] ?? '';
          const go = (from: string, to: string): string[] =>
            travel(topology, address(from), address(to), from);
          expect(go('h0', 'h1')).toEqual(long);
          expect(go('h1', 'h0')).toEqual(isBackGiven ? short : [...long].reverse());
          expect(go('h0', 's')).toEqual(['a0', 'ring0', 'cdn']);
          expect(go('c', 's')).toEqual(['wifi', 'ring0', 'cdn']);
          for (const index of numbers) {
            const steps = Math.min(index, size - index);
            expect(go('h0', name('h', index))).toHaveLength(
              index === 0 ? 0 : index === 1 ? size + 1 : steps + 2,
            );
          }
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('MPTCP', () => {
  it('announces every address of the server and meshes; with one address it does neither', () => {
    const both = (topology: Topology, node: string): string =>
      mptcpLines(labTopology(topology), node).slice(1).join('\n');
    const mesh = expandTopology({ ...dumbbell, ipVersion: 'dual' });
    expect(both(mesh, 'h2').split('\n')).toEqual([
      'mptcp endpoint add 10.77.4.1 dev h2-r1 signal',
      'mptcp endpoint add 10.77.5.1 dev h2-r2 signal',
      'mptcp endpoint add fd77:0:0:4::1 dev h2-r1 signal',
      'mptcp endpoint add fd77:0:0:5::1 dev h2-r2 signal',
    ]);
    expect(both(mesh, 's2').match(/subflow fullmesh/g)).toHaveLength(4);
    const one = expandTopology(multihomed);
    expect(both(one, 'server')).toBe('');
    expect(both(one, 'client')).toBe(
      'mptcp endpoint add 10.77.1.2 dev wifi subflow\nmptcp endpoint add 10.77.2.2 dev lte subflow',
    );
    expect(mptcpLines(lab(dumbbell), 'r1')).toEqual([]);
    expect(mptcpLines(lab(dumbbell, ['path2']), 'h2')).toHaveLength(1);
  });
});
