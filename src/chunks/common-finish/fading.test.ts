import { describe, expect, it } from 'vitest';
import { createChunkScheduler } from '../registry';
import { runWorld, steady, type WorldNetwork } from '../testing/world';
import { actionsOf } from '../testing/timed-actions';
import type { ObservedFlight } from '../types';

const scheduler = createChunkScheduler('common-finish');

const film = Array.from({ length: 40 }, (_, index) => ({
  objectId: `object-${index}`,
  bytes: 750_000,
  atMs: 0,
}));

/** Carries, fades from 5 s to 12 s while its carrier stays, and carries again. */
const fadingTo = (rateBps: number): WorldNetwork => ({
  networkId: 'wifi',
  rttMs: 20,
  phases: [
    { fromMs: 0, rateBps: 5e6, isUp: true },
    { fromMs: 5000, rateBps, isUp: true },
    { fromMs: 12_000, rateBps: 5e6, isUp: true },
  ],
});
const fading = fadingTo(0);

describe('common-finish, where a network fades', () => {
  it('wakes when a network has been silent for too long, not later', () => {
    let state = scheduler.initial();
    let flights: ObservedFlight[] = [];
    const wakeAfter = (nowMs: number, receivedBytes: number): number => {
      flights = flights.map((one) => ({ ...one, receivedBytes, firstByteMs: 50 }));
      const { actions, wakeMs, ...decision } = scheduler.decide(state, {
        nowMs,
        networks: [
          {
            ...{ networkId: 'wifi', state: 'up', costly: false },
            ...{ rttMs: 20, freeRequests: 1 - flights.length, warmRequests: 1 - flights.length },
          },
        ],
        objects: [{ objectId: 'film', totalBytes: 5e6, ranges: true, received: [], excluded: [] }],
        flights,
        ended: [],
      });
      state = decision.state;
      for (const action of actions)
        if (action.kind === 'fetch') flights.push({ ...action, sentMs: nowMs, receivedBytes: 0 });
      return wakeMs - nowMs;
    };
    for (const nowMs of [0, 50, 100, 150]) wakeAfter(nowMs, 100 * nowMs);
    // 200 ms without a byte are too long here.
    expect(wakeAfter(330, 15_000)).toBeLessThan(30);
  });

  it('waits for a probe as long as the server takes over another network', () => {
    const answerMs = 1500;
    const networks = [
      { ...fading, answerMs },
      { ...steady('lte', 5e6, 40), answerMs },
    ];
    const back = actionsOf({ networks, objects: film, untilMs: 25_000 }).filter(
      ({ nowMs, action }) =>
        nowMs > 12_000 &&
        action.kind === 'fetch' &&
        action.networkId === 'wifi' &&
        action.purpose === 'media',
    );
    expect(back[0]?.nowMs).toBeLessThan(17_000);
  });

  it('re-requests a silent network’s bytes elsewhere within half a second, and probes it', () => {
    const timed = actionsOf({
      networks: [fading, steady('lte', 2e6, 60)],
      objects: film,
      untilMs: 20_000,
    });
    const during = timed.filter(({ nowMs }) => nowMs >= 5500 && nowMs < 12_000);
    const overWifi = during.filter(
      ({ action }) => action.kind === 'fetch' && action.networkId === 'wifi',
    );
    expect(overWifi.length).toBeGreaterThan(3);
    expect(overWifi.length).toBeLessThan(9);
    expect(
      new Set(overWifi.map(({ action }) => action.kind === 'fetch' && action.purpose)),
    ).toEqual(new Set(['probe']));
    const back = timed.find(
      ({ nowMs, action }) =>
        nowMs > 12_000 &&
        action.kind === 'fetch' &&
        action.networkId === 'wifi' &&
        action.purpose === 'media',
    );
    expect(back?.nowMs).toBeLessThan(13_500);
  });

  it('re-requests at once, while both requests of the other network still run', () => {
    const underWay: number[] = [];
    runWorld({
      networks: [fading, steady('lte', 2e6, 60)],
      objects: film,
      untilMs: 6000,
      scheduler,
      watch({ flights }, actions) {
        const isOverLte = ({ networkId }: { networkId: string }): boolean => networkId === 'lte';
        for (const action of actions) {
          if (action.kind !== 'fetch' || action.purpose !== 'duplicate') continue;
          underWay.push(flights.filter(isOverLte).length);
        }
      },
    });
    // Two requests at a time.
    expect(underWay[0]).toBe(2);
  });

  it('re-requests the bytes of a lost network elsewhere at once', () => {
    const lost = {
      ...fading,
      phases: [
        { fromMs: 0, rateBps: 5e6, isUp: true },
        { fromMs: 5000, rateBps: 0, isUp: false },
      ],
    };
    const firstMissing: [number, number][] = [];
    runWorld({
      networks: [lost, steady('lte', 2e6, 60)],
      objects: film,
      untilMs: 5400,
      scheduler,
      watch({ nowMs, objects, flights }, actions) {
        const [object] = objects;
        if (nowMs < 5000 || firstMissing.length > 0 || object === undefined) return;
        const readBytes = object.received[0]?.end ?? 0;
        const requested = [...flights, ...actions.filter(({ kind }) => kind === 'fetch')];
        firstMissing.push([
          nowMs,
          requested.filter(
            (one) =>
              'start' in one &&
              one.start <= readBytes &&
              (one.end ?? Infinity) > readBytes &&
              one.objectId === object.objectId,
          ).length,
        ]);
      },
    });
    expect(firstMissing).toEqual([[5000, 1]]);
  });

  it('re-requests the bytes of a network that only trickles within half a second', () => {
    const timed = actionsOf({
      // A packet of 1500 bytes each 400 ms.
      networks: [fadingTo(30_000), steady('lte', 2e6, 60)],
      objects: film,
      untilMs: 8000,
    });
    const after = timed.filter(({ nowMs }) => nowMs >= 5000);
    const copied = after.find(
      ({ action }) => action.kind === 'fetch' && action.purpose === 'duplicate',
    );
    expect(copied?.action).toMatchObject({ networkId: 'lte' });
    expect(copied?.nowMs).toBeLessThan(5500);
    const trusted = after.filter(
      ({ nowMs, action }) =>
        nowMs > 5500 &&
        action.kind === 'fetch' &&
        action.networkId === 'wifi' &&
        action.purpose !== 'probe',
    );
    expect(trusted).toEqual([]);
  });

  it('probes below the end of an object whose length is a guess', () => {
    const objects = film.map((object, index) => ({
      ...object,
      atMs: 1500 * index,
      isLengthKnown: false,
      expectedBytes: 1.25 * object.bytes,
    }));
    const networks = [fading, steady('lte', 3.1e6, 60)];
    const probes = actionsOf({ networks, objects, untilMs: 20_000 }).flatMap(({ action }) =>
      action.kind === 'fetch' && action.purpose === 'probe' ? [action] : [],
    );
    expect(probes.length).toBeGreaterThan(3);
    expect(Math.max(...probes.map(({ end }) => end ?? Infinity))).toBeLessThanOrEqual(750_000);
  });

  it('does not wait for the bytes of a probe while playback waits for the object', () => {
    const near = steady('near', 2e6, 20);
    const far = steady('far', 50_000, 300);
    const objects = [
      { objectId: 'init', bytes: 2000, atMs: 0 },
      { objectId: 'segment', bytes: 100_000, atMs: 1100, neededInMs: 0 },
    ];
    const probed = runWorld({ scheduler, networks: [near, far], objects, untilMs: 10_000 });
    const probes = probed.actions.filter(
      (action) => action.kind === 'fetch' && action.purpose === 'probe',
    );
    expect(probes).not.toHaveLength(0);
    const alone = runWorld({ scheduler, networks: [near], objects, untilMs: 10_000 });
    expect(probed.doneMs).toEqual(alone.doneMs);
  });

  it('does not treat a network as faded whose usual rate is a trickle', () => {
    const networks = [steady('lte', 30_000, 60)];
    const objects = [{ objectId: 'segment', bytes: 60_000, atMs: 0 }];
    const fetches = actionsOf({ networks, objects, untilMs: 20_000 });
    const purposes = fetches
      .filter(({ nowMs }) => nowMs > 5000)
      .map(({ action }) => action.kind === 'fetch' && action.purpose);
    expect(purposes).not.toContain('probe');
  });

  it('completes objects on the other network while one is silent', () => {
    const networks = [fading, steady('lte', 2e6, 60)];
    const { doneMs } = runWorld({ scheduler, networks, objects: film, untilMs: 20_000 });
    const done = [...doneMs.values()].sort((a, b) => a - b);
    const gaps = done.slice(1).map((ms, index) => ms - (done[index] ?? 0));
    // 750 kB at 2 Mbit/s take 3 s.
    expect(Math.max(...gaps)).toBeLessThan(4000);
  });
});
