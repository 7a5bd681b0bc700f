import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { DirectionSpec, TopologySource } from '../../scenario';
import { reasonToSkip, runFixture } from '../testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'network' : `network (skipped: ${reason})`;

const outputSchema = v.object({
  results: v.array(v.object({ elapsedMs: v.number(), source: v.string(), address: v.string() })),
  carried: v.record(v.string(), v.object({ ab: v.number(), ba: v.number() })),
  stray: v.number(),
  answers: v.array(v.string()),
  left: v.string(),
});

async function network(input: object): Promise<v.InferOutput<typeof outputSchema>> {
  const output = v.parse(outputSchema, await runFixture('network', input));
  // Every case has this result: no unsolicited packets on the links, and nothing left behind.
  expect(output.stray).toBe(0);
  expect(output.left).not.toMatch(/10\.7\d\.|fd77|mtu 1500|lookup 1\d\d\d/);
  return output;
}

const line = (rateBps: number): DirectionSpec => ({
  rateBps,
  delayMs: 5,
  queue: { discipline: 'droptail' },
});
const access = (id: string, rateBps = 5e6): object => ({
  id,
  down: line(rateBps),
  up: line(rateBps),
});
/** Congestion controls of the established connections of a node. */
const CONTROLS = "ss -tin state established | grep -oE 'cubic|reno|bbr' | sort | uniq -c";

describe.skipIf(reason !== undefined)(title, () => {
  it('fills both bottlenecks of the dumbbell with one meshed connection, hosts beside it on theirs', async () => {
    const forward: DirectionSpec = {
      ...line(6e6),
      queue: { discipline: 'fq_pie', targetMs: 5 },
    };
    const source: TopologySource = {
      kind: 'dumbbell',
      bottleneck1: { forward },
      bottleneck2: { forward },
      congestionControl: 'reno',
      congestionControls: { h1: 'cubic' },
    };
    const { carried, answers } = await network({
      source,
      atOnce: true,
      transfers: [
        { from: 'h2', to: 's2', bytes: 2_000_000, mptcp: true },
        { from: 'h1', to: 's1', bytes: 500_000, mptcp: false },
        { from: 's3', to: 'h3', bytes: 500_000, mptcp: false },
      ],
      ask: [
        { node: 'h2', command: "ss -tn | grep -c ':900'" },
        { node: 'h2', command: CONTROLS },
        { node: 'h1', command: CONTROLS },
        { node: 'h2', command: 'cat /proc/sys/net/mptcp/blackhole_timeout || echo 0' },
      ],
    });
    expect(carried['r1-r3']?.ab).toBeGreaterThan(500_000 + 300_000);
    expect(carried['r2-r4']?.ab).toBeGreaterThan(300_000);
    expect(carried['r2-r4']?.ba).toBeGreaterThan(500_000);
    expect(carried['r3-s1']?.ab).toBeGreaterThan(500_000);
    // Two addresses at both ends.
    expect(answers[0]?.trim()).toBe('4');
    expect(answers[1]?.trim()).toMatch(/^4 reno$/);
    expect(answers[2]?.trim()).toMatch(/^1 cubic$/);
    // No outage of this network may take MPTCP from the next ones.
    expect(answers[3]?.trim()).toBe('0');
  });

  it('carries one download over the three paths of the sticky paper, over IPv6', async () => {
    const { carried, results } = await network({
      source: { kind: 'three-path', variant: '3p-50', ipVersion: 'ipv6' },
      transfers: [{ from: 'server', to: 'client', bytes: 1_000_000, mptcp: true }],
    });
    expect(results[0]).toMatchObject({ source: 'fd77:0:0:1::2', address: 'fd77::1' });
    for (const id of ['wifi5', 'wifi24', 'wired']) {
      expect(carried[id]?.ba).toBeGreaterThan(100_000);
    }
  });

  it('limits access links to the rate of the shared link behind them', async () => {
    const bytes = 1_500_000;
    const { carried, results } = await network({
      source: {
        kind: 'shared-bottleneck',
        access: [access('wifi'), access('lte')],
        shared: { down: line(6e6), up: line(6e6) },
      },
      transfers: [{ from: 'server', to: 'client', bytes, mptcp: true }],
    });
    const [{ elapsedMs } = { elapsedMs: Number.NaN }] = results;
    expect((bytes * 8) / (elapsedMs / 1000)).toBeLessThan(6e6);
    const behind = carried['shared']?.ba ?? 0;
    expect(behind).toBeGreaterThan(bytes);
    for (const id of ['wifi', 'lte']) expect(carried[id]?.ba).toBeGreaterThan(200_000);
  });

  it('routes pairs of a graph separately, with a different return route', async () => {
    const link = (id: string, a: string, b: string): object => ({
      ...{ id, a, b },
      ...{ ab: line(2e7), ba: line(2e7) },
    });
    const { carried } = await network({
      source: {
        kind: 'graph',
        nodes: [
          ...[
            { id: 'pc', role: 'client' },
            { id: 'cdn', role: 'server' },
            { id: 'x', role: 'host' },
          ],
          ...['r1', 'r2', 'r3'].map((id) => ({ id, role: 'router' })),
        ],
        links: [
          ...[link('wifi', 'pc', 'r1'), link('cdn-r2', 'cdn', 'r2'), link('x-r1', 'x', 'r1')],
          ...[link('short', 'r1', 'r2'), link('long1', 'r1', 'r3'), link('long2', 'r3', 'r2')],
        ],
        routes: [
          { from: 'cdn', to: 'x', via: ['cdn-r2', 'long2', 'long1', 'x-r1'] },
          { from: 'x', to: 'cdn', via: ['x-r1', 'short', 'cdn-r2'] },
        ],
      },
      transfers: [
        { from: 'cdn', to: 'x', bytes: 300_000, mptcp: false },
        { from: 'cdn', to: 'pc', bytes: 150_000, mptcp: false },
      ],
    });
    expect(carried['long1']?.ba).toBeGreaterThan(300_000);
    expect(carried['long1']?.ab).toBe(0);
    expect(carried['short']?.ba).toBeGreaterThan(150_000);
    expect(carried['short']?.ba).toBeLessThan(300_000);
    expect(carried['x-r1']?.ab).toBeGreaterThan(0);
  });

  it('uses both families to a server with two addresses, and opens connections off a link that is down', async () => {
    const input = {
      source: {
        kind: 'multihomed',
        ipVersion: 'dual',
        serverAddresses: 'per-link',
        paths: [access('wifi'), access('lte')],
      },
      transfers: [
        { from: 'server', to: 'client', bytes: 800_000, mptcp: true },
        { from: 'server', to: 'client', bytes: 800_000, mptcp: true, family: 'ipv6' },
      ],
    };
    const both = await network(input);
    expect(both.results.map(({ address }) => address)).toEqual(['10.77.1.1', 'fd77:0:0:1::1']);
    for (const id of ['wifi', 'lte']) expect(both.carried[id]?.ba).toBeGreaterThan(300_000);
    const event = { atMs: 0, kind: 'link-state', link: 'wifi', state: 'down' };
    const one = await network({ ...input, events: [event] });
    expect(one.results.map(({ source }) => source)).toEqual(['10.77.2.2', 'fd77:0:0:2::2']);
    expect(one.carried['wifi']).toEqual({ ab: 0, ba: 0 });
  });

  it('hides all other paths from a player of one path, and their events too', async () => {
    const { carried, results, answers } = await network({
      source: { kind: 'multihomed', paths: [access('wifi'), access('lte')] },
      options: { usePaths: ['lte'] },
      events: [
        { atMs: 0, kind: 'link-state', link: 'wifi', state: 'down' },
        { atMs: 0, kind: 'link-change', link: 'lte', ba: { rateBps: 2e7 } },
      ],
      transfers: [{ from: 'server', to: 'client', bytes: 300_000, mptcp: true }],
      ask: [{ node: 'client', command: 'ip -br link | wc -l; ip mptcp endpoint | wc -l' }],
    });
    expect(Object.keys(carried)).toEqual(['lte']);
    expect(results[0]?.source).toBe('10.77.2.2');
    expect(answers[0]?.trim().split('\n')).toEqual(['2', '1']);
  });

  it('takes paths with names that the ip command has for itself', async () => {
    // `ip link set a ...` means the address, `ip link set up ...` the state.
    const { carried } = await network({
      source: { kind: 'multihomed', paths: [access('a'), access('up')] },
      transfers: [{ from: 'server', to: 'client', bytes: 300_000, mptcp: true }],
    });
    expect(Object.keys(carried)).toEqual(['a', 'up']);
  });

  it('names an unknown congestion control, and leaves nothing behind', async () => {
    const source = { kind: 'multihomed', paths: [access('wifi')], congestionControl: 'nosuch' };
    await expect(network({ source, transfers: [] })).rejects.toThrow('sudo modprobe tcp_nosuch');
  });
});
