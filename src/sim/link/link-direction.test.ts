import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DirectionSpec } from '../../scenario';
import { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { Ecn, Packet } from '../packet';
import { LinkDirection } from './link-direction';

const SECOND = 1e9;
const droptail = { queue: { discipline: 'droptail' as const } };

interface Arrival {
  atNs: number;
  id: unknown;
}

/** Sends packets of 1500 bytes at given instants; returns the output and the link. */
function send(
  spec: DirectionSpec,
  atNs: readonly number[],
  options: {
    untilNs?: number;
    seed?: number;
    at?: (link: LinkDirection, s: Simulation) => void;
  } = {},
): { arrivals: Arrival[]; link: LinkDirection } {
  const simulation = new Simulation(options.seed ?? 1);
  const link = new LinkDirection(simulation, 'wifi ab', spec);
  const arrivals: Arrival[] = [];
  const sink = {
    receive: ({ payload }: Packet) => {
      arrivals.push({ atNs: simulation.nowNs, id: payload });
    },
  };
  atNs.forEach((instantNs, id) => {
    new Timer(simulation, () => {
      new Packet(1500, 1, Ecn.notCapable, [link, sink], id).forward();
    }).setAt(instantNs);
  });
  options.at?.(link, simulation);
  simulation.run(options.untilNs ?? 100 * SECOND);
  return { arrivals, link };
}

describe('LinkDirection', () => {
  it('delays by serialisation and propagation, without drift', () => {
    // 12000 bits at 7 Mbit/s are 1714285.714 ns: three packets take 5142857 ns, not 3 x 1714285.
    const spec = { ...droptail, rateBps: 7_000_000, delayMs: 10 };
    const { arrivals } = send(spec, [0, 0, 0]);
    expect(arrivals.map(({ atNs }) => atNs)).toEqual([11_714_285, 13_428_571, 15_142_857]);
  });

  it('serialises at once without a rate', () => {
    const { arrivals } = send({ ...droptail, delayMs: 5 }, [0, 0]);
    expect(arrivals.map(({ atNs }) => atNs)).toEqual([5e6, 5e6]);
  });

  it('drops at the tail of a full queue, and counts the drops', () => {
    const spec = { ...droptail, rateBps: 1_000_000, delayMs: 0, queueBytes: 3000 };
    const { arrivals, link } = send(spec, [0, 0, 0, 0, 0]);
    // One is being sent, two wait.
    expect(arrivals.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(link.stats()).toMatchObject({ inPackets: 5, outPackets: 3, queueDrops: 2 });
  });

  it('follows a trace in mid-packet: packets wait during an outage of the trace', () => {
    const steps = [
      { durationMs: 6, rateBps: 1_000_000 },
      { durationMs: 100, rateBps: 0 },
      { durationMs: 1000, rateBps: 2_000_000, delayMs: 7 },
    ];
    const spec = { ...droptail, delayMs: 0, trace: { file: 'x', steps } };
    const { arrivals } = send(spec, [0, 0]);
    // Half of the first packet takes 6 ms, the rest 3 ms at twice the rate after the outage; the second takes
    // 6 ms.
    expect(arrivals.map(({ atNs }) => atNs / 1e6)).toEqual([116, 122]);
  });

  it('repeats a trace, or stays at its last step', () => {
    const steps = [
      { durationMs: 10, rateBps: 1_000_000 },
      { durationMs: 10, rateBps: 4_000_000 },
    ];
    const at = (once: boolean): number[] =>
      send(
        { ...droptail, delayMs: 0, trace: { file: 'x', steps, once } },
        [20e6, 40e6],
      ).arrivals.map(({ atNs }) => atNs / 1e6);
    expect(at(false)).toEqual([30.5, 50.5]);
    expect(at(true)).toEqual([23, 43]);
  });

  it('loses everything in an outage and while the link is down', () => {
    const outages = { outages: [{ atMs: 10, durationMs: 10 }], periodMs: 100 };
    const spec = { ...droptail, rateBps: 12_000_000, delayMs: 0, outages };
    const { arrivals } = send(spec, [5e6, 15e6, 25e6, 115e6, 125e6]);
    expect(arrivals.map(({ id }) => id)).toEqual([0, 2, 4]);
    const down = send({ ...droptail, rateBps: 12_000_000, delayMs: 5 }, [0, 3e6, 9e6], {
      at: (link, simulation) => {
        new Timer(simulation, () => link.setUp(false)).setAt(2e6);
        new Timer(simulation, () => link.setUp(true)).setAt(8e6);
      },
    });
    expect(down.arrivals.map(({ id }) => id)).toEqual([2]);
    expect(down.link.stats().stateDrops).toBe(2);
  });

  it('changes rate and delay of a running link', () => {
    const { arrivals } = send({ ...droptail, rateBps: 1_000_000, delayMs: 0 }, [0, 20e6], {
      at: (link, simulation) => {
        new Timer(simulation, () => link.set({ rateBps: 2_000_000, delayMs: 1 })).setAt(6e6);
      },
    });
    expect(arrivals.map(({ atNs }) => atNs / 1e6)).toEqual([10, 27]);
  });

  it('loses the configured share, the same packets for the same seed, also in bursts', () => {
    const instants = Array.from({ length: 20_000 }, (_, i) => i * 2e6);
    const lossless = { ...droptail, rateBps: 100_000_000, delayMs: 0 };
    const lost = (spec: Partial<DirectionSpec>, seed: number): number[] => {
      const { arrivals } = send({ ...lossless, ...spec }, instants, { seed });
      const got = new Set(arrivals.map(({ id }) => id));
      return instants.map((_, i) => i).filter((i) => !got.has(i));
    };
    const even = lost({ lossRatio: 0.02 }, 1);
    expect(even.length / instants.length).toBeCloseTo(0.02, 2);
    expect(lost({ lossRatio: 0.02 }, 1)).toEqual(even);
    expect(lost({ lossRatio: 0.02 }, 2)).not.toEqual(even);
    const bursts = lost({ burstLoss: { goodToBad: 0.004, badToGood: 0.2 } }, 1);
    expect(bursts.length / instants.length).toBeCloseTo(0.02, 2);
    const follow = (list: number[]): number =>
      list.filter((i) => list.includes(i + 1)).length / list.length;
    expect(follow(bursts)).toBeGreaterThan(0.7);
    expect(follow(even)).toBeLessThan(0.1);
  });

  it('keeps the order under jitter unless reordering is allowed', () => {
    const run = (mayReorder: boolean, seed: number): unknown[] =>
      send(
        {
          ...droptail,
          rateBps: 100_000_000,
          delayMs: 20,
          jitter: { shape: 'uniform', spreadMs: 10, mayReorder },
        },
        Array.from({ length: 100 }, (_, i) => i * 1e6),
        { seed },
      ).arrivals.map(({ id }) => id);
    fc.assert(
      fc.property(fc.nat(1000), (seed) => {
        const ids = run(false, seed);
        expect(ids).toEqual([...ids].sort((a, b) => Number(a) - Number(b)));
        expect(ids).toHaveLength(100);
        const mixed = run(true, seed);
        expect(mixed).not.toEqual(ids);
        expect([...mixed].sort((a, b) => Number(a) - Number(b))).toEqual(ids);
      }),
      { numRuns: 10 },
    );
  });
});
