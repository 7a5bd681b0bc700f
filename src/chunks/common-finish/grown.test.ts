import { describe, expect, it } from 'vitest';
import { createChunkScheduler } from '../registry';
import type {
  ChunkObservation,
  FetchAction,
  ObservedFlight,
  ObservedNetwork,
  ObservedObject,
} from '../types';

const SEGMENT_BYTES = 750_000;
const START_MS = 1000;
/** The encoder has written a segment this long after its request. */
const GROWN_MS = 2250;

const network = (networkId: string, rateBps: number): ObservedNetwork => ({
  networkId,
  state: 'up',
  rttMs: 40,
  rateHintBps: rateBps,
  costly: false,
  freeRequests: 6,
  warmRequests: 2,
});
const segment = (objectId: string, neededMs: number, grownMs = GROWN_MS): ObservedObject => ({
  objectId,
  ranges: false,
  received: [],
  expectedBytes: SEGMENT_BYTES,
  grownAtMs: START_MS + grownMs,
  neededAtMs: START_MS + neededMs,
});

/** A scheduler that is asked each 50 ms, with its requests in flight. */
class Play {
  readonly #scheduler = createChunkScheduler('common-finish');
  #state = this.#scheduler.initial();
  flights: ObservedFlight[] = [];
  readonly fetched: FetchAction[] = [];
  nowMs = START_MS;

  /** @returns the health of each network */
  step(networks: ObservedNetwork[], objects: ObservedObject[]): Record<string, string> {
    const observation: ChunkObservation = {
      nowMs: this.nowMs,
      networks,
      objects,
      ended: this.#takeEnded(),
      flights: this.flights,
    };
    const decision = this.#scheduler.decide(this.#state, observation);
    this.#state = decision.state;
    for (const action of decision.actions) {
      if (action.kind === 'cancel') {
        this.flights = this.flights.filter(({ chunkId }) => chunkId !== action.chunkId);
        continue;
      }
      this.fetched.push(action);
      this.flights.push({ ...action, sentMs: this.nowMs, receivedBytes: 0 });
    }
    this.nowMs += 50;
    return Object.fromEntries(decision.networks.map((one) => [one.networkId, one.health]));
  }

  /** A probe ends with its last byte. */
  #takeEnded(): ChunkObservation['ended'] {
    const isOver = ({ end, receivedBytes }: ObservedFlight): boolean =>
      end !== null && receivedBytes >= end;
    const ended = this.flights.filter(isOver);
    this.flights = this.flights.filter((flight) => !isOver(flight));
    return ended.map((flight) => ({ ...flight, endMs: this.nowMs, outcome: 'done' }));
  }

  /** A network brings so many bytes of each of its requests. */
  bring(networkId: string, bytes: number): void {
    this.flights = this.flights.map((flight) => {
      if (flight.networkId !== networkId) return flight;
      const times = { firstByteMs: flight.firstByteMs ?? this.nowMs, lastByteMs: this.nowMs };
      return { ...flight, ...times, receivedBytes: flight.receivedBytes + bytes, growing: true };
    });
  }
}

describe('a segment that is still being written', () => {
  it('comes over an idle network that brings it in time, while a faster one brings the one before', () => {
    const networks = [network('fast', 2.5e6), network('slow', 2e6)];
    const play = new Play();
    const first = segment('first', 2400);
    play.step(networks, [first]);
    play.bring('fast', 600_000);
    play.step(networks, [first, segment('second', 4400)]);
    expect(play.fetched.map(({ objectId, networkId }) => [objectId, networkId])).toEqual([
      ['first', 'fast'],
      ['second', 'slow'],
    ]);
  });

  it.each([
    ['nearly done with the one before', 700_000, ['fast', 'fast']],
    ['far from done with it', 100_000, ['fast']],
  ])('comes where it ends first if none is in time: one is %s', (_, bytes, expected) => {
    const networks = [network('fast', 2.5e6), network('slow', 0.5e6)];
    const play = new Play();
    const first = segment('first', 1000);
    play.step(networks, [first]);
    play.bring('fast', bytes);
    play.step(networks, [first, segment('second', 2000)]);
    const media = play.fetched.filter(({ purpose }) => purpose === 'media');
    expect(media.map(({ networkId }) => networkId)).toEqual(expected);
  });

  it('leaves its network free for others', () => {
    const play = new Play();
    const only = [network('only', 2.5e6)];
    const audio = { ...segment('audio', 2400), expectedBytes: 33_000 };
    for (let step = 0; step < 3; step += 1) {
      play.step(only, [segment('video', 2400), audio]);
      play.bring('only', 10_000);
    }
    expect(play.fetched.map(({ objectId }) => objectId)).toEqual(['video', 'audio']);
  });

  it('measures a network that was silent by bytes that are there, and by more of them once it is faster', () => {
    const networks = [network('a', 4e6), network('b', 0.1e6)];
    const play = new Play();
    const other = { ...segment('audio', 10_000, 9000), excluded: ['a'] };
    const video = { ...segment('video', 10_000, 9000), excluded: ['b'] };
    // Network b falls silent with the audio.
    for (let at = 0; at < 60; at += 1) {
      play.bring('a', 10_000);
      play.step(networks, [video, other]);
    }
    play.flights = play.flights.filter(({ objectId }) => objectId === 'video');
    let health: Record<string, string> = {};
    for (let at = 0; at < 60; at += 1) {
      play.bring('a', 10_000);
      play.bring('b', 10_000);
      health = play.step(networks, [{ ...video, excluded: [] }]);
    }
    const probes = play.fetched.filter(
      ({ objectId, purpose }) => objectId === 'video' && purpose === 'probe',
    );
    expect(probes.length).toBeGreaterThan(0);
    expect(probes[0]?.end).toBe(16_000);
    const most = Math.max(...probes.map(({ end }) => end ?? 0));
    expect(most).toBeGreaterThan(50_000);
    expect(most).toBeLessThanOrEqual(SEGMENT_BYTES / 4);
    expect(health).toEqual({ a: 'healthy', b: 'healthy' });
  });
});

describe('a network that stays silent while a segment grows', () => {
  it('is asked again each second, over a fresh connection', () => {
    const networks = [network('a', 4e6), network('b', 2e6)];
    const play = new Play();
    const video = { ...segment('video', 30_000, 29_000), expectedBytes: 10e6, excluded: ['b'] };
    play.step(networks, [video]);
    for (let at = 0; at < 200; at += 1) {
      play.bring('a', 10_000);
      play.step(networks, [{ ...video, excluded: [] }]);
      expect(play.flights.filter(({ networkId }) => networkId === 'b').length).toBeLessThan(2);
    }
    const probes = play.fetched.filter(({ networkId }) => networkId === 'b');
    expect(probes.length).toBeGreaterThan(6);
    expect(probes.length).toBeLessThan(12);
  });
});

describe('a segment that its network brings too late', () => {
  /** Plays until the slow network has brought it at this rate for so long. */
  const late = (slowBps: number, fastBps: number, untilMs: number): FetchAction[] => {
    const networks = [network('slow', slowBps), network('fast', fastBps)];
    const play = new Play();
    const object = segment('segment', 3000);
    play.step(networks, [{ ...object, excluded: ['fast'] }]);
    while (play.nowMs < START_MS + untilMs) {
      play.bring('slow', (slowBps / 8000) * 50);
      play.bring('fast', (fastBps / 8000) * 50);
      const end = play.flights.find(({ chunkId }) => chunkId === 1)?.receivedBytes ?? 0;
      play.step(networks, [{ ...object, received: [{ start: 0, end }] }]);
    }
    const [first, ...more] = play.fetched.filter(({ purpose }) => purpose !== 'probe');
    expect(first).toMatchObject({ networkId: 'slow', start: 0 });
    return more;
  };

  it('comes over another one from its beginning while it is written', () => {
    const [copy, ...more] = late(0.1e6, 4e6, 1500);
    expect(copy).toMatchObject({ networkId: 'fast', start: 0, end: null, purpose: 'duplicate' });
    expect(more).toEqual([]);
  });

  it('comes over another one from its first missing byte on, once the server has written all of it', () => {
    expect(late(2.1e6, 8e6, GROWN_MS - 100)).toEqual([]);
    const [rest, ...more] = late(2.1e6, 8e6, GROWN_MS + 500);
    expect(rest).toMatchObject({ networkId: 'fast', end: null, purpose: 'duplicate' });
    expect(rest?.start).toBeGreaterThan(500_000);
    expect(more).toEqual([]);
  });

  it('stays where another one would hardly be earlier', () => {
    expect(late(2e6, 1e6, 4000)).toEqual([]);
  });
});
