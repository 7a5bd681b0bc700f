import { describe, expect, it } from 'vitest';
import { createSummary, type SessionSummary } from '../qoe';
import type { LogEvent } from '../session-log';
import { expandTopology, type DirectionSpec, type Topology } from '../scenario';
import {
  congestionControls,
  LinkDirection,
  RateBased,
  schedulers,
  simulateSession,
  Simulation,
  SimNetwork,
  type SimPlayer,
} from '.';
import { connectPaths } from './testing/two-paths';

const SECOND = 1e9;
const queue = { discipline: 'droptail' as const };
const ours: SimPlayer = { kind: 'brain', config: { policy: 'model', abr: 'multipath' } };
const rates = [600, 1200, 2400].map((kbps) => kbps * 1000);
const media = {
  segmentMs: 2000,
  video: rates.map((bitrateBps) => ({
    bitrateBps,
    bytes: Array.from({ length: 20 }, () => bitrateBps / 4),
  })),
  audio: [],
};

function topology(pathRates: readonly number[]): Topology {
  return expandTopology({
    kind: 'multihomed',
    paths: pathRates.map((rateBps, index) => {
      const direction = { rateBps, delayMs: 20, queue, queueBytes: 60_000 };
      return { id: `path${index + 1}`, down: direction, up: direction };
    }),
  });
}

function play(
  pathRates: readonly number[],
  player: SimPlayer,
): { events: LogEvent[]; summary: SessionSummary } {
  const events = simulateSession({
    scenario: {
      name: 'bad',
      topology: topology(pathRates),
      traffic: [],
      events: [],
      durationMs: 20_000,
    },
    media,
    player,
    seed: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
  });
  const summary = createSummary();
  for (const event of events) summary.add(event);
  return { events, summary: summary.finish() };
}

describe('a graph in two parts', () => {
  it('is refused when a route is requested, with its ends', () => {
    const direction: DirectionSpec = { delayMs: 1, queue };
    const link = (id: string, a: string, b: string): Topology['links'][number] => ({
      id,
      a,
      b,
      ab: direction,
      ba: direction,
    });
    const whole = topology([1e6]);
    const nodes = [...whole.nodes, { id: 'far', role: 'host' as const }];
    const nodesApart = [...nodes, { id: 'farther', role: 'host' as const }];
    const apart = {
      ...whole,
      nodes: nodesApart,
      links: [...whole.links, link('island', 'far', 'farther')],
    } as Topology;
    const network = new SimNetwork(new Simulation(1), apart);
    const client = whole.nodes.find(({ role }) => role === 'client')?.id ?? '';
    expect(() => network.route(client, 'far')).toThrow(`no way from ${client} to far`);
    expect(network.route('far', 'farther')).toHaveLength(1);
  });
});

describe('a link with invalid values', () => {
  const make = (spec: Partial<DirectionSpec>): LinkDirection =>
    new LinkDirection(new Simulation(1), 'wifi ab', { delayMs: 1, queue, ...spec });
  /** Each pair is a start and a length. */
  const outages = (...list: [atMs: number, durationMs: number][]): Partial<DirectionSpec> => ({
    outages: { outages: list.map(([atMs, durationMs]) => ({ atMs, durationMs })) },
  });

  it.each<[string, Partial<DirectionSpec>]>([
    ['rateBps', { rateBps: -1 }],
    ['rateBps', { rateBps: Number.NaN }],
    ['delayMs', { delayMs: -5 }],
    ['lossRatio', { lossRatio: 1.5 }],
    ['trace.steps', { trace: { file: 't', steps: [] } }],
    ['trace.steps[0].durationMs', { trace: { file: 't', steps: [{ durationMs: 0, rateBps: 1 }] } }],
    ['trace.steps[0].rateBps', { trace: { file: 't', steps: [{ durationMs: 5, rateBps: -1 }] } }],
    ['burstLoss.goodToBad', { burstLoss: { goodToBad: Number.NaN, badToGood: 0.5 } }],
    ['burstLoss.badToGood', { burstLoss: { goodToBad: 0.5, badToGood: 2 } }],
    ['burstLoss.lossBad', { burstLoss: { goodToBad: 0.5, badToGood: 0.5, lossBad: 7 } }],
    ['burstLoss.lossGood', { burstLoss: { goodToBad: 0.5, badToGood: 0.5, lossGood: -1 } }],
    ['jitter.spreadMs', { jitter: { shape: 'normal', spreadMs: Number.NaN } }],
    ['jitter.spreadMs', { jitter: { shape: 'uniform', spreadMs: -1 } }],
    ['queueBytes', { queueBytes: Number.NaN }],
    ['queueBytes', { queueBytes: -1 }],
    ['outages.outages[0].atMs', outages([Number.NaN, 5])],
    ['outages.outages[0].atMs', outages([-1, 5])],
    ['outages.outages[0].durationMs', outages([0, Number.NaN])],
    ['outages.outages[0].durationMs', outages([0, -1])],
    ['outages.outages[1].atMs', outages([10, 5], [12, 5])],
    ['outages.periodMs', { outages: { outages: [], periodMs: Number.NaN } }],
    ['outages.periodMs', { outages: { outages: [{ atMs: 10, durationMs: 5 }], periodMs: 14 } }],
  ])('is refused by name and field: %s', (field, spec) => {
    expect(() => make(spec)).toThrow(RangeError);
    expect(() => make(spec)).toThrow(`link wifi ab: ${field}`);
    const link = make({});
    expect(() => link.set(spec)).toThrow(RangeError);
  });

  it.each<Partial<DirectionSpec>>([
    { burstLoss: { goodToBad: 0, badToGood: 1 }, jitter: { shape: 'normal', spreadMs: 0 } },
    { ...outages([0, 5], [5, 5]), queueBytes: 1 },
    { outages: { outages: [{ atMs: 10, durationMs: 5 }], periodMs: 15 } },
    outages(),
  ])('takes values at their bounds: %j', (spec) => {
    expect(() => make(spec)).not.toThrow();
    expect(() => make({}).set(spec)).not.toThrow();
  });
});

describe('a link without a rate', () => {
  it('ends a session without another link at its time limit, and reports it', () => {
    const { events, summary } = play([0], ours);
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'time-up' });
    expect(summary.playedMs).toBe(0);
  });

  it('leaves a session to its other path', () => {
    const { summary } = play([4e6, 0], ours);
    expect(summary.stalls.count).toBe(0);
    expect(summary.playedMs).toBeGreaterThan(19_000);
  });
});

describe('a ladder above all capacity', () => {
  it.each<[string, SimPlayer]>([
    ['our brain', ours],
    ['a reference rule', { kind: 'controller', create: () => new RateBased() }],
  ])('is played at its lowest rung, with stalls: %s', (_, player) => {
    const { summary } = play([200_000, 100_000], player);
    expect(summary.averageBitrateBps).toBeLessThanOrEqual(rates[0] ?? 0);
    expect(summary.stalls.totalMs).toBeGreaterThan(1000);
  });
});

describe('a path that is removed while packets are in flight', () => {
  const bytes = 2_000_000;

  it('neither loses nor duplicates bytes of the stream', () => {
    for (let atMs = 150; atMs < 1200; atMs += 150) {
      const { simulation, connection } = connectPaths([
        { rateBps: 8e6, delayMs: 20 },
        { rateBps: 4e6, delayMs: 50 },
      ]);
      connection.connect();
      connection.server.send(bytes);
      simulation.run(atMs * 1e6);
      connection.remove(0);
      simulation.run(30 * SECOND);
      expect(connection.client.receivedBytes).toBe(bytes);
      expect(connection.client.reassembly.outOfOrderBytes).toBe(0);
    }
  });

  it('pauses the stream when it was the last path, and resumes on a new subflow', () => {
    const { simulation, connection } = connectPaths([{ rateBps: 8e6, delayMs: 20 }]);
    connection.connect();
    connection.server.send(bytes);
    simulation.run(0.6 * SECOND);
    connection.remove(0);
    simulation.run(5 * SECOND);
    const before = connection.client.receivedBytes;
    expect(before).toBeLessThan(bytes);
    connection.rejoin(0);
    simulation.run(30 * SECOND);
    expect(connection.client.receivedBytes).toBe(bytes);
  });
});
