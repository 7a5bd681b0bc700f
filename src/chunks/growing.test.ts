import { describe, expect, it } from 'vitest';
import { chunkSchedulers, createChunkScheduler } from './registry';
import type { ChunkObservation, ObservedFlight } from './types';

const PERIOD_MS = 250;
const CHUNK_BYTES = 10_000;

const networks: ChunkObservation['networks'] = ['a', 'b'].map((networkId) => ({
  networkId,
  state: 'up',
  rttMs: 40,
  costly: false,
  freeRequests: 6,
  warmRequests: 2,
}));
const objects = [{ objectId: 'segment', ranges: false, received: [] }];

/** Every scheduler, with one request for an object that grows by a chunk each period. */
describe.each(chunkSchedulers.map(({ name }) => name))('%s', (name) => {
  it('requests a growing object once, over one network', () => {
    const scheduler = createChunkScheduler(name);
    let state = scheduler.initial();
    let nowMs = 1000;
    let flight: ObservedFlight | undefined;
    const requests: string[] = [];
    for (let step = 0; step < 80; step += 1, nowMs += 50) {
      if (flight && (nowMs - flight.sentMs) % PERIOD_MS === 0) {
        const receivedBytes = flight.receivedBytes + CHUNK_BYTES;
        const firstByteMs = flight.firstByteMs ?? nowMs;
        flight = { ...flight, receivedBytes, firstByteMs, lastByteMs: nowMs, growing: true };
      }
      const decision = scheduler.decide(state, {
        nowMs,
        networks,
        objects,
        flights: flight ? [flight] : [],
        ended: [],
      });
      state = decision.state;
      for (const action of decision.actions) {
        requests.push(action.kind);
        if (action.kind !== 'fetch') continue;
        const { chunkId, objectId, networkId, start, end } = action;
        flight = { chunkId, objectId, networkId, start, end, sentMs: nowMs, receivedBytes: 0 };
      }
      if (requests.length === 1) {
        expect(decision.networks.map(({ health }) => health)).not.toContain('faded');
      }
    }
    expect(requests).toEqual(['fetch']);
  });
});

it('requests a slow growing object from no second network', () => {
  const scheduler = createChunkScheduler('common-finish');
  let state = scheduler.initial();
  let flights: ObservedFlight[] = [];
  const requests: string[] = [];
  const rates = { a: 0.3e6, b: 4e6 };
  const observed = networks.map((network) => ({
    ...network,
    rateHintBps: network.networkId === 'a' ? rates.a : rates.b,
  }));
  for (let nowMs = 1000; nowMs < 5000; nowMs += 50) {
    flights = flights.map((flight) => {
      const receivedBytes = flight.receivedBytes + 1500;
      const times = { firstByteMs: flight.firstByteMs ?? nowMs, lastByteMs: nowMs };
      return { ...flight, ...times, receivedBytes, growing: true };
    });
    const decision = scheduler.decide(state, {
      nowMs,
      networks: observed,
      // The fast network may carry soon after the object was requested.
      objects: objects.map((one) => ({ ...one, excluded: nowMs < 1200 ? ['b'] : [] })),
      flights,
      ended: [],
    });
    state = decision.state;
    for (const action of decision.actions) {
      if (action.kind !== 'fetch') continue;
      requests.push(action.networkId);
      flights.push({ ...action, sentMs: nowMs, receivedBytes: 0 });
    }
  }
  expect(requests).toEqual(['a']);
});
