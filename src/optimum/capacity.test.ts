import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DirectionSpec, LinkSpec, Scenario, TimelineEvent } from '../scenario';
import { linkCapacity, lossShare } from './link-capacity';
import { pathCapacities } from './path-capacity';
import { volumeOf } from './rate-profile';

const queue = { discipline: 'droptail' } as const;
const slow: DirectionSpec = { rateBps: 1e5, delayMs: 1, queue };
const link = (id: string, a: string, b: string, ba: Partial<DirectionSpec>): LinkSpec => ({
  id,
  a,
  b,
  ab: slow,
  ba: { delayMs: 5, queue, ...ba },
});
const exact = { untilMs: 20_000, headerBytes: 0 };
const capacity = (ba: Partial<DirectionSpec>, events: readonly TimelineEvent[] = []) =>
  linkCapacity(link('wifi', 'c', 's', ba), 'ba', events, exact);

describe('capacity of a link', () => {
  test('a trace repeats, or stays at its last step', () => {
    const steps = [
      { durationMs: 1000, rateBps: 4e6 },
      { durationMs: 500, rateBps: 0 },
    ];
    const repeated = volumeOf(capacity({ trace: { file: 't', steps } }));
    expect(repeated.bitsAt(3000)).toBeCloseTo(8e6);
    expect(repeated.timeOf(5e6)).toBeCloseTo(1750);
    const once = volumeOf(capacity({ trace: { file: 't', steps, once: true } }));
    expect(once.bitsAt(20_000)).toBeCloseTo(4e6);
    expect(once.timeOf(5e6)).toBe(Infinity);
  });

  test('outages repeat, losses and headers reduce the capacity', () => {
    const outages = { outages: [{ atMs: 1000, durationMs: 500 }], periodMs: 2000 };
    const volume = volumeOf(capacity({ rateBps: 1e6, lossRatio: 0.1, outages }));
    expect(volume.bitsAt(4000)).toBeCloseTo(0.9 * 3e6);
    const payload = linkCapacity(link('w', 'c', 's', { rateBps: 3e6 }), 'ba', [], {
      untilMs: 1,
      headerBytes: 60,
    });
    expect(payload.rateBps).toEqual([3e6 * 0.96]);
  });

  test('losses in bursts count by the duration of each state', () => {
    expect(lossShare({ burstLoss: { goodToBad: 0.01, badToGood: 0.24 } })).toBeCloseTo(0.04);
    expect(lossShare({ burstLoss: { goodToBad: 0, badToGood: 0 } })).toBe(0);
  });

  test('timeline events apply: down, a rate that ends a trace, an outage that starts with its event', () => {
    const trace = { file: 't', steps: [{ durationMs: 9000, rateBps: 8e6 }] };
    const volume = volumeOf(
      capacity({ trace }, [
        { atMs: 1000, kind: 'link-state', link: 'wifi', state: 'down' },
        { atMs: 2000, kind: 'link-state', link: 'wifi', state: 'up' },
        { atMs: 3000, kind: 'link-change', link: 'wifi', ba: { rateBps: 1e6 } },
        {
          atMs: 4000,
          kind: 'link-change',
          link: 'wifi',
          ba: { outages: { outages: [{ atMs: 500, durationMs: 1e5 }] } },
        },
        { atMs: 500, kind: 'link-state', link: 'lte', state: 'down' },
      ]),
    );
    expect(volume.bitsAt(3000)).toBeCloseTo(16e6);
    expect(volume.bitsAt(20_000)).toBeCloseTo(17.5e6);
  });

  test('time and volume are inverse functions', () => {
    const rates = fc.array(fc.integer({ min: 0, max: 9e6 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rates, fc.double({ min: 0.01, max: 1, noNaN: true }), (rateBps, share) => {
        const atMs = rateBps.map((_, i) => i * 333);
        const volume = volumeOf({ atMs, rateBps });
        const bits = share * volume.bitsAt(atMs.length * 333);
        fc.pre(bits > 1);
        expect(volume.bitsAt(volume.timeOf(bits))).toBeCloseTo(bits, 3);
      }),
    );
  });
});

describe('capacity of paths', () => {
  const topology = (shared: number): Pick<Scenario, 'topology' | 'events'> => ({
    events: [],
    topology: {
      ipVersion: 'ipv4',
      nodes: [
        { id: 'c', role: 'client', congestionControl: 'cubic' },
        { id: 'r', role: 'router', congestionControl: 'cubic' },
        { id: 's', role: 'server', congestionControl: 'cubic' },
      ],
      links: [
        link('wifi', 'c', 'r', { rateBps: 5e6 }),
        link('lte', 'c', 'r', { rateBps: 3e6 }),
        { id: 'core', a: 's', b: 'r', ab: { rateBps: shared, delayMs: 1, queue }, ba: slow },
      ],
      routes: [],
      paths: [
        { id: 'one', via: ['wifi', 'core'] },
        { id: 'two', via: ['lte', 'core'] },
      ],
    },
  });

  test('a shared bottleneck counts once, and only the media direction counts', () => {
    const narrow = pathCapacities(topology(4e6), exact);
    expect(narrow.all.rateBps).toEqual([4e6]);
    expect([...narrow.byPath].map(([id, { rateBps }]) => [id, ...rateBps])).toEqual([
      ['one', 4e6],
      ['two', 3e6],
    ]);
    expect(pathCapacities(topology(1e9), exact).all.rateBps).toEqual([8e6]);
  });

  test('a path over an unknown link is refused by name', () => {
    const bad = topology(1e6);
    const paths = [{ id: 'one', via: ['core'] }];
    expect(() => pathCapacities({ ...bad, topology: { ...bad.topology, paths } }, exact)).toThrow(
      /path one: there is no link core at c/,
    );
  });
});
