import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveredTimes, overlapBytes, totalBytes } from './byte-ranges';
import { chunkSchedulers, createChunkScheduler } from './registry';
import { runWorld, type WorldNetwork, type WorldObject, type WorldOptions } from './testing/world';
import type { ByteRange, ChunkAction, ChunkObservation } from './types';

const isNightly = process.env['TEST_PROFILE'] === 'nightly';
const UNTIL_MS = 60_000;
/** Every network carries after this time, so that every requested byte must arrive. */
const CALM_MS = 20_000;

const phases = fc
  .array(
    fc.record({
      fromMs: fc.integer({ min: 0, max: CALM_MS }),
      rateBps: fc.constantFrom(0, 30_000, 300_000, 2e6, 20e6),
      isUp: fc.boolean(),
    }),
    { maxLength: 4 },
  )
  .map((list) => [
    ...list.sort((a, b) => a.fromMs - b.fromMs),
    { fromMs: CALM_MS + 1, rateBps: 2e6, isUp: true },
  ]);

const network = (networkId: string): fc.Arbitrary<WorldNetwork> =>
  fc.record({
    networkId: fc.constant(networkId),
    rttMs: fc.integer({ min: 10, max: 400 }),
    phases,
    costly: fc.boolean(),
  });

const objects: fc.Arbitrary<WorldObject[]> = fc
  .array(
    fc.record(
      {
        bytes: fc.integer({ min: 1, max: 800_000 }),
        atMs: fc.integer({ min: 0, max: CALM_MS }),
        neededInMs: fc.integer({ min: 0, max: 20_000 }),
        ranges: fc.boolean(),
        isLengthKnown: fc.boolean(),
        expectedBytes: fc.integer({ min: 0, max: 1_600_000 }),
      },
      { requiredKeys: ['bytes', 'atMs'] },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((list) => list.map((object, index) => ({ ...object, objectId: `object-${index}` })));

const failures = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: CALM_MS }),
    place: fc.nat(5),
    kind: fc.constantFrom('connect', 'reset', 'timeout', 'refused', 'mismatch'),
  }),
  { maxLength: 6 },
);

const worlds: fc.Arbitrary<Omit<WorldOptions, 'scheduler'>> = fc
  .record({
    networks: fc.tuple(network('wifi'), network('lte'), network('wired')),
    count: fc.integer({ min: 1, max: 3 }),
    objects,
    failures,
  })
  .map(({ networks, count, ...rest }) => ({
    ...rest,
    networks: networks.slice(0, count),
    untilMs: UNTIL_MS,
  }));

interface Flying extends ByteRange {
  chunkId: number;
  objectId: string;
  networkId: string;
}

/** Throws where an action breaks what holds for every scheduler. */
function checkActions(observation: ChunkObservation, actions: readonly ChunkAction[]): void {
  const totalOf = (id: string): number =>
    observation.objects.find(({ objectId }) => objectId === id)?.totalBytes ?? Infinity;
  let flying: Flying[] = observation.flights.map((flight) => ({
    ...flight,
    start: flight.start + flight.receivedBytes,
    end: Math.min(flight.end ?? Infinity, totalOf(flight.objectId)),
  }));
  const free = new Map(observation.networks.map((one) => [one.networkId, one.freeRequests]));
  for (const action of actions) {
    if (action.kind === 'cancel') {
      const flight = flying.find(({ chunkId }) => chunkId === action.chunkId);
      if (flight === undefined) throw new Error('cancelled what is not in flight');
      flying = flying.filter((one) => one !== flight);
      free.set(flight.networkId, (free.get(flight.networkId) ?? 0) + 1);
      continue;
    }
    const { objectId, networkId, start, end, purpose } = action;
    const over = observation.networks.find((one) => one.networkId === networkId);
    const object = observation.objects.find((one) => one.objectId === objectId);
    if (over?.state !== 'up') throw new Error('over a network that is out');
    if (object === undefined) throw new Error('an object that nobody wants');
    if (object.excluded?.includes(networkId)) throw new Error('over a network that is excluded');
    if ((free.get(networkId) ?? 0) < 1) throw new Error('no free request');
    free.set(networkId, (free.get(networkId) ?? 0) - 1);
    const range = { start, end: end ?? totalOf(objectId) };
    if (!(range.end > start && start >= 0)) throw new Error('an empty range');
    if (range.end > totalOf(objectId)) throw new Error('beyond the end');
    const measures = purpose === 'probe' && !object.ranges;
    if (
      end !== null &&
      !measures &&
      object.received.some((have) => overlapBytes(have, range) > 0)
    ) {
      throw new Error('bytes that are here');
    }
    const same = flying.filter((one) => one.objectId === objectId);
    const thrice = coveredTimes(same, 3).some((one) => overlapBytes(one, range) > 0);
    if (thrice) throw new Error('a fourth copy');
    flying.push({ chunkId: action.chunkId, objectId, networkId, ...range });
  }
  for (const { networkId, budgetBytes } of observation.networks) {
    if (budgetBytes === undefined) continue;
    const owed = totalBytes(flying.filter((one) => one.networkId === networkId));
    if (owed > Math.max(0, budgetBytes)) throw new Error('over budget');
  }
}

describe.each(chunkSchedulers.map(({ name }) => name))('%s', (name) => {
  const scheduler = createChunkScheduler(name);
  const runs = (name === 'common-finish' ? 20 : 10) * (isNightly ? 5 : 1);

  it('keeps the bounds and completes every object, whatever fails', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { doneMs } = runWorld({ ...world, scheduler, watch: checkActions });
        expect(world.objects.filter(({ objectId }) => !doneMs.has(objectId))).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  it('completes its objects after a long silence of the only network', () => {
    const phases = [{ fromMs: 20_001, rateBps: 2e6, isUp: true }];
    const objects = [
      { objectId: 'first', bytes: 48_001, atMs: 0 },
      { objectId: 'second', bytes: 16_001, atMs: 10_201 },
    ];
    const networks = [{ networkId: 'wifi', rttMs: 151, phases, costly: false }];
    const { doneMs } = runWorld({ objects, networks, untilMs: 60_000, scheduler });
    expect(doneMs.size).toBe(2);
    expect(Math.max(...doneMs.values())).toBeLessThan(25_000);
  });

  it('never asks a network for more than its budget', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 0, max: 500_000 }), (world, budgetBytes) => {
        const networks = world.networks.map((one, index) =>
          index === 0 ? { ...one, budgetBytes } : one,
        );
        const first = networks[0]?.networkId ?? '';
        const result = runWorld({ ...world, networks, scheduler, watch: checkActions });
        expect(result.networkBytes.get(first)).toBeLessThanOrEqual(budgetBytes);
      }),
      { numRuns: runs / 2 },
    );
  });

  it('decides the same again from its recorded observations, through JSON', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const seen: string[] = [];
        const said: string[] = [];
        const spoil = (observation: ChunkObservation): ChunkObservation => {
          seen.push(JSON.stringify(observation));
          return observation;
        };
        const watch = (_: ChunkObservation, actions: readonly ChunkAction[]): void => {
          said.push(JSON.stringify(actions));
        };
        runWorld({ ...world, untilMs: 10_000, scheduler, spoil, watch });
        let state = scheduler.initial();
        const again = seen.map((text) => {
          const decision = scheduler.decide(
            JSON.parse(JSON.stringify(state)) as object,
            JSON.parse(text) as ChunkObservation,
          );
          state = decision.state;
          return JSON.stringify(decision.actions);
        });
        expect(again).toEqual(said);
      }),
      { numRuns: runs / 5 },
    );
  });

  it('survives jumping clocks, NaN and decreasing counters', () => {
    const lies = fc.array(
      fc.record({
        step: fc.integer({ min: 0, max: 399 }),
        lie: fc.constantFrom('forward', 'back', 'nan', 'counter', 'duplicate', 'stranger'),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(worlds, lies, (world, reported) => {
        const spoil = (observation: ChunkObservation, step: number): ChunkObservation =>
          reported
            .filter((one) => one.step === step)
            .reduce((seen, { lie }) => spoiled(seen, lie), observation);
        const { doneMs } = runWorld({ ...world, scheduler, spoil });
        expect(doneMs.size).toBe(world.objects.length);
      }),
      { numRuns: runs / 2 },
    );
  });
});

function spoiled(observation: ChunkObservation, lie: string): ChunkObservation {
  const { nowMs, networks, flights } = observation;
  const [flight] = flights;
  switch (lie) {
    case 'forward':
      return { ...observation, nowMs: nowMs + 3_600_000 };
    case 'back':
      return { ...observation, nowMs: nowMs - 3_600_000 };
    case 'nan':
      return {
        ...observation,
        nowMs: NaN,
        networks: networks.map((one) => ({
          ...one,
          rttMs: NaN,
          rateHintBps: -1,
          warmRequests: NaN,
        })),
        flights: flights.map((one) => ({ ...one, sentMs: NaN, firstByteMs: -Infinity })),
      };
    case 'counter':
      return { ...observation, flights: flights.map((one) => ({ ...one, receivedBytes: 0 })) };
    case 'duplicate':
      return {
        ...observation,
        networks: [...networks, ...networks],
        flights: [...flights, ...flights],
      };
    default:
      return flight === undefined
        ? observation
        : {
            ...observation,
            flights: [...flights, { ...flight, chunkId: -7, objectId: 'strange' }],
          };
  }
}
