import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChunkScheduler } from '../registry';
import { sharesOf } from '../testing/shares';
import { runWorld, steady, type Phase, type WorldNetwork } from '../testing/world';
import { actionsOf } from '../testing/timed-actions';

const scheduler = createChunkScheduler('common-finish');
const NAME = 'common-finish';

const film = Array.from({ length: 40 }, (_, index) => ({
  objectId: `object-${index}`,
  bytes: 750_000,
  atMs: 0,
}));

describe('common-finish', () => {
  it('uses each network in proportion to its rate, and fetches hardly a byte twice', () => {
    const networks = [steady('wifi', 4e6, 40), steady('lte', 1e6, 80)];
    const { shares, result } = sharesOf(NAME, networks);
    expect(shares['lte']).toBeGreaterThan(0.17);
    expect(shares['lte']).toBeLessThan(0.23);
    const all = [...result.networkBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    // 5 Mbit/s for 20 s; the world's steps of 50 ms leave a connection idle for half of one on average.
    expect(all).toBeGreaterThan(0.9 * 12.5e6);
    expect(result.duplicateBytes / all).toBeLessThan(0.03);
  });

  it('requests a small object whole, from the network that finishes first', () => {
    const objects = [{ objectId: 'init', bytes: 900, atMs: 0 }];
    const networks = [steady('lte', 8e6, 120), steady('wifi', 4e6, 20)];
    const [first, ...others] = actionsOf({ networks, objects, untilMs: 100 });
    expect(first?.action).toMatchObject({ networkId: 'wifi', start: 0, end: 900 });
    expect(others).toEqual([]);
  });

  it('asks a network that was never measured for a whole object too', () => {
    const networks = [steady('lte', 9e6, 20), steady('wifi', 18e6, 40)];
    // Each is announced before the last one is complete: 750 kB take lte 670 ms.
    const objects = film.slice(0, 8).map((object, index) => ({
      ...object,
      ranges: false,
      atMs: index * 450,
    }));
    const { networkBytes } = runWorld({ scheduler, networks, objects, untilMs: 10_000 });
    expect(networkBytes.get('wifi')).toBeGreaterThan(3e6);
  });

  it('asks a network that was slow for a whole object again', () => {
    const at = (fromMs: number, rateBps: number): Phase => ({ fromMs, rateBps, isUp: true });
    const lte = { ...steady('lte', 0, 80), phases: [at(0, 0.4e6), at(30_000, 20e6)] };
    // One after the other, so that a network is free whenever the next one begins.
    const objects = Array.from({ length: 120 }, (_, index) => ({
      objectId: `object-${index}`,
      bytes: 500_000,
      atMs: 1000 * index,
      ranges: false,
    }));
    const overLte = (untilMs: number): number =>
      runWorld({
        scheduler,
        networks: [steady('wifi', 6e6, 40), lte],
        objects,
        untilMs,
      }).networkBytes.get('lte') ?? 0;
    const slowBytes = overLte(30_000);
    // Half of the 44 MB that follow until 120 s, although the pause had grown to 16 s.
    expect(overLte(120_000) - slowBytes).toBeGreaterThan(20e6);
    const slowToTheEnd = { ...lte, phases: [at(0, 0.4e6)] };
    const { duplicateBytes } = runWorld({
      scheduler,
      networks: [steady('wifi', 6e6, 40), slowToTheEnd],
      objects,
      untilMs: 120_000,
    });
    expect(duplicateBytes).toBeLessThan(0.01 * 60e6);
  });

  it.each([
    [{}, 'lte'],
    [{ expectedBytes: 2000 }, 'wifi'],
  ])('asks the near network again behind a whole object of few bytes: %j', (guess, wanted) => {
    const whole = { isLengthKnown: false, ranges: false, ...guess };
    const objects = [
      { objectId: 'init', bytes: 900, atMs: 0, ...whole },
      { objectId: 'segment', bytes: 75_000, atMs: 50, isLengthKnown: false },
    ];
    const networks = [steady('wifi', 5e6, 120), steady('lte', 0.6e6, 300)];
    const [init, segment] = actionsOf({ networks, objects, untilMs: 120 });
    expect(init?.action).toMatchObject({ objectId: 'init', networkId: 'wifi' });
    expect(segment?.action).toMatchObject({ objectId: 'segment', networkId: wanted });
  });

  it('gives a far network no rest of a segment that the near one completes behind a whole object', () => {
    const whole = { isLengthKnown: false, ranges: false, expectedBytes: 2000, answerMs: 200 };
    const objects = [
      { objectId: 'init', bytes: 900, atMs: 0, ...whole },
      { objectId: 'segment', bytes: 75_000, atMs: 0, isLengthKnown: false },
    ];
    const networks = [steady('wifi', 5e6, 40), steady('lte', 0.6e6, 300)];
    const fetches = actionsOf({ networks, objects, untilMs: 250 }).filter(
      ({ action }) => action.kind === 'fetch' && action.objectId === 'segment',
    );
    expect(fetches.length).toBeGreaterThan(1);
    const used = fetches.flatMap(({ action }) => (action.kind === 'fetch' ? action.networkId : []));
    expect(new Set(used)).toEqual(new Set(['wifi']));
  });

  it('requests an object of unknown length once before it splits it', () => {
    const objects = [{ objectId: 'segment', bytes: 750_000, atMs: 0, isLengthKnown: false }];
    const networks = [steady('wifi', 4e6, 100), steady('lte', 4e6, 100)];
    const fetches = actionsOf({ networks, objects, untilMs: 2000 });
    expect(fetches.filter(({ nowMs }) => nowMs < 100)).toHaveLength(1);
    const used = fetches.flatMap(({ action }) => (action.kind === 'fetch' ? action.networkId : []));
    expect(new Set(used)).toEqual(new Set(['wifi', 'lte']));
  });

  it.each([true, false])(
    'asks for an object of unknown length at once, whatever the networks (ranges: %s)',
    (ranges) => {
      const network = fc.record({
        rateBps: fc.integer({ min: 1e6, max: 50e6 }),
        rttMs: fc.integer({ min: 1, max: 100 }),
      });
      fc.assert(
        fc.property(fc.array(network, { minLength: 2, maxLength: 3 }), (all) => {
          const networks = all.map(({ rateBps, rttMs }, i) => steady(String(i), rateBps, rttMs));
          const objects = [
            { objectId: 'before', bytes: 600_000, atMs: 0 },
            { objectId: 'next', bytes: 600_000, atMs: 5000, isLengthKnown: false, ranges },
          ];
          const fetches = actionsOf({ networks, objects, untilMs: 5200 });
          expect(
            fetches.some(({ action }) => action.kind === 'fetch' && action.objectId === 'next'),
          ).toBe(true);
        }),
        { numRuns: 300 },
      );
    },
  );

  it('shares the late rest of a network that became slow', () => {
    const slowing: WorldNetwork = {
      networkId: 'lte',
      rttMs: 40,
      phases: [
        { fromMs: 0, rateBps: 4e6, isUp: true },
        { fromMs: 300, rateBps: 100_000, isUp: true },
      ],
    };
    const objects = film.slice(0, 1);
    const timed = actionsOf({
      networks: [steady('wifi', 4e6, 40), slowing],
      objects,
      untilMs: 8000,
    });
    const late = timed.find(
      ({ action }) => action.kind === 'fetch' && action.purpose === 'duplicate',
    );
    expect(late?.action).toMatchObject({ networkId: 'wifi' });
    expect(late?.nowMs).toBeLessThan(2000);
  });

  it('asks a slow network for no more than a chunk behind a guess that is a part of the object', () => {
    const networks = [steady('a', 2e6, 400), steady('b', 34e6, 160)];
    const objects = [0, 1, 2].map((index) => ({
      objectId: `object-${index}`,
      bytes: 9_000_000,
      atMs: index === 0 ? 0 : 2000,
      isLengthKnown: false,
      ...(index === 0 ? {} : { expectedBytes: 2_500_000 }),
    }));
    const sizes = actionsOf({ networks, objects, untilMs: 12_000 }).flatMap(({ action }) =>
      action.kind === 'fetch' && action.networkId === 'a' ? [(action.end ?? 0) - action.start] : [],
    );
    expect(Math.max(...sizes)).toBeLessThan(400_000);
  });

  it('an idle network fetches the bytes of one that has delivered nothing yet', () => {
    const wifi = steady('wifi', 3.7e6, 132);
    const lte = { ...steady('lte', 4e5, 1500), isRttUnknown: true };
    const objects = [
      { objectId: 'manifest', bytes: 4000, atMs: 0 },
      { objectId: 'segment', bytes: 100_000, atMs: 200 },
    ];
    const segmentMs = (networks: WorldNetwork[]): number =>
      runWorld({ scheduler, networks, objects, untilMs: 5000 }).doneMs.get('segment') ?? Infinity;
    expect(segmentMs([wifi, lte])).toBeLessThan(segmentMs([wifi]) + 200);
  });

  describe('with a costly network', () => {
    const costly = { ...steady('lte', 4e6, 60), costly: true };

    it('does not use it while the free one meets the deadlines', () => {
      const objects = film.slice(0, 4).map((object) => ({ ...object, neededInMs: 15_000 }));
      const networks = [steady('wifi', 4e6, 40), costly];
      const { networkBytes } = runWorld({ scheduler, networks, objects, untilMs: 10_000 });
      expect(networkBytes.get('lte')).toBe(0);
    });

    it('requests over it what the free one cannot deliver in time, and little more', () => {
      // 3 MB in 10 s: 2.4 Mbit/s, of which the free network brings 1.
      const objects = film.slice(0, 4).map((object) => ({ ...object, neededInMs: 10_000 }));
      const networks = [steady('wifi', 1e6, 40), costly];
      const { networkBytes, doneMs } = runWorld({ scheduler, networks, objects, untilMs: 20_000 });
      expect(Math.max(...doneMs.values())).toBeLessThanOrEqual(10_000);
      expect(networkBytes.get('lte')).toBeGreaterThan(1.5e6);
      expect(networkBytes.get('lte')).toBeLessThan(2.5e6);
    });

    it('stops at its budget, late or not', () => {
      const objects = film.slice(0, 4).map((object) => ({ ...object, neededInMs: 5000 }));
      const networks = [steady('wifi', 1e6, 40), { ...costly, budgetBytes: 300_000 }];
      const { networkBytes, doneMs } = runWorld({ scheduler, networks, objects, untilMs: 30_000 });
      expect(networkBytes.get('lte')).toBeLessThanOrEqual(300_000);
      expect(doneMs.size).toBe(4);
    });

    it('continues at once over a free network that returns after the budget is spent', () => {
      const away = { fromMs: 0, rateBps: 4e6, isUp: false };
      const back = { fromMs: 10_000, rateBps: 4e6, isUp: true };
      const free = { networkId: 'wifi', rttMs: 40, phases: [away, back] };
      const objects = film.slice(0, 2).map((object) => ({ ...object, neededInMs: 5000 }));
      const networks = [free, { ...costly, budgetBytes: 300_000 }];
      const { networkBytes, doneMs } = runWorld({ scheduler, networks, objects, untilMs: 30_000 });
      expect(networkBytes.get('lte')).toBe(300_000);
      expect(networkBytes.get('wifi')).toBe(1_200_000);
      expect(Math.max(...doneMs.values())).toBeLessThan(14_000);
    });

    it('uses it without a deadline only if no free network is alive', () => {
      const silent = steady('wifi', 0, 40);
      const objects = film.slice(0, 2);
      const { networkBytes } = runWorld({
        scheduler,
        networks: [silent, costly],
        objects,
        untilMs: 10_000,
      });
      expect(networkBytes.get('lte')).toBe(1.5e6);
    });
  });

  it('alternates whole objects over the networks where the server has no ranges', () => {
    const objects = film.slice(0, 10).map((object) => ({ ...object, ranges: false }));
    const networks = [steady('wifi', 4e6, 40), steady('lte', 4e6, 40)];
    const { networkBytes, duplicateBytes } = runWorld({
      scheduler,
      networks,
      objects,
      untilMs: 20_000,
    });
    expect(networkBytes.get('wifi')).toBeGreaterThan(2e6);
    expect(networkBytes.get('lte')).toBeGreaterThan(2e6);
    expect(duplicateBytes).toBe(0);
  });

  it('waits for a server that takes seconds for each answer', () => {
    const networks = ['wifi', 'lte'].map((id) => ({ ...steady(id, 4e6, 40), answerMs: 4000 }));
    const objects = film.slice(0, 2);
    const { doneMs } = runWorld({ scheduler, networks, objects, untilMs: 60_000 });
    expect(doneMs.size).toBe(2);
  });

  it('never names a network that is excluded for an object', () => {
    const objects = film.slice(0, 3).map((object) => ({ ...object, excluded: ['wifi'] }));
    const networks = [steady('wifi', 4e6, 40), steady('lte', 1e6, 40)];
    const { networkBytes, doneMs } = runWorld({ scheduler, networks, objects, untilMs: 30_000 });
    expect(networkBytes.get('wifi')).toBe(0);
    expect(doneMs.size).toBe(3);
  });
});
