import { expect, test } from 'vitest';
import { defaultChunkConfig as config } from './config';
import type { FlightTrack } from './flight-track';
import { newNetwork } from './network-track';
import { isStuck, roomOf, type SeenNetwork } from './seen';

/** One request is in flight, whose rest takes 300 ms. */
const busy = (rateBps: number, rttMs: number, separateConnections?: boolean) =>
  roomOf(
    {
      ...{ answerMs: rttMs, freeRequests: 2, requests: 1, rateBps, rttMs, separateConnections },
      backlogBytes: (rateBps / 8000) * 300,
    },
    config,
  ).hasRoom;

test('a connection of its own does not pause on a path that takes more than its first window', () => {
  expect(busy(20e6, 60, true)).toBe(true);
  expect(busy(20e6, 60)).toBe(false);
  expect(busy(5e6, 20, true)).toBe(false);
});

test('an answer that has not begun waits for its server, also where other answers were fast', () => {
  const track = { ...newNetwork('wifi', 0), responseMs: 45, rttMs: 40 };
  const network = { track, rttMs: 40 } as SeenNetwork;
  const isStuckAt = (nowMs: number, receivedBytes: number): boolean =>
    isStuck({ progressMs: 0, receivedBytes } as FlightTrack, network, { nowMs, config });
  expect([isStuckAt(700, 5000), isStuckAt(1500, 0), isStuckAt(3000, 0)]).toEqual([
    true,
    false,
    true,
  ]);
});
