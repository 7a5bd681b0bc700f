import { expect, test } from 'vitest';
import { defaultChunkConfig as config } from './config';
import type { FlightTrack } from './flight-track';
import { newNetwork } from './network-track';
import { FAR_RTT_MS, isStuck, roomOf, seeNetwork, type SeenNetwork } from './seen';

/** The room of a network with some requests in flight, whose rests take 300 ms. */
const roomBeside = (requests: number, rateBps: number, rttMs: number, isHttp1: boolean): boolean =>
  roomOf(
    {
      ...{ answerMs: rttMs, freeRequests: 2, requests, rateBps, rttMs },
      separateConnections: isHttp1,
      backlogBytes: (rateBps / 8000) * 300,
    },
    config,
  ).hasRoom;

test('on a long path, shorter over HTTP/1.1, no request waits for another one', () => {
  const counts = [1, 2, 3];
  expect(counts.map((count) => roomBeside(count, 20e6, 60, true))).toEqual([true, true, false]);
  expect(counts.map((count) => roomBeside(count, 20e6, 60, false))).toEqual([true, true, false]);
  expect(counts.map((count) => roomBeside(count, 40e6, 20, false))).toEqual([false, false, false]);
  expect(counts.map((count) => roomBeside(count, 5e6, 20, true))).toEqual([false, false, false]);
});

test('on a far path neither, whatever it carries', () => {
  const far = FAR_RTT_MS + 1;
  for (const isHttp1 of [true, false]) {
    const rooms = [1, 2, 3].map((count) => roomBeside(count, 0.3e6, far, isHttp1));
    expect(rooms).toEqual([true, true, false]);
    expect(roomBeside(2, 0.3e6, FAR_RTT_MS, isHttp1)).toBe(false);
  }
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

test('an answer that its server holds back counts against the budget', () => {
  const flight = { chunkId: 1, objectId: 'one', start: 0, end: 17, receivedBytes: 0 };
  const allowance = (held: boolean): number => {
    const observed = {
      ...{ networkId: 'wifi', state: 'up' as const, costly: true, budgetBytes: 20 },
      ...{ freeRequests: 2, warmRequests: 2 },
    };
    const flights = [{ ...flight, held } as FlightTrack];
    const objects = [{ objectId: 'one', totalBytes: 1000, ranges: true, received: [] }];
    return seeNetwork(observed, newNetwork('wifi', 0), flights, { objects }, config).allowanceBytes;
  };
  expect([allowance(false), allowance(true)]).toEqual([3, 3]);
});
