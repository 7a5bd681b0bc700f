import { expect, test } from 'vitest';
import { defaultChunkConfig as config } from './config';
import { newNetwork, rateOf, stepNetwork } from './network-track';
import type { FlightStep } from './flight-track';

const observed = {
  networkId: 'wifi',
  state: 'up',
  rttMs: 40,
  costly: false,
  freeRequests: 3,
  warmRequests: 1,
} as const;

/** A request of `bytes` that was sent at 0 and has its first byte after `responseMs`, with the step that shows it. */
function firstByte(bytes: number, responseMs: number): FlightStep {
  return {
    track: {
      chunkId: 1,
      objectId: 'o1',
      networkId: 'wifi',
      start: 0,
      end: bytes,
      purpose: 'media',
      sentMs: 0,
      receivedBytes: bytes,
      progressMs: responseMs,
      forecastMs: 0,
    },
    bytes,
    responseMs,
    ended: undefined,
    endedAgoMs: 0,
  };
}

test('the wait for the first answer, with its handshakes, makes no network slow', () => {
  // An initialization segment of 832 bytes after 150 ms would be 44 kbit/s.
  const after = stepNetwork(newNetwork('wifi', 0), observed, [firstByte(832, 150)], {
    nowMs: 155,
    stepMs: 155,
    config,
  });
  expect(rateOf(after, undefined, config)).toBe(config.firstRateBps);
});

test.each([45, null])(
  'a late answer counts against a network that has answered before',
  (responseMs) => {
    // A fade forgets the usual delay.
    const known = { ...newNetwork('wifi', 0), responseMs, rttMs: 40 };
    const after = stepNetwork(known, observed, [firstByte(1448, 400)], {
      nowMs: 400,
      stepMs: 400,
      config,
    });
    expect(rateOf(after, undefined, config)).toBeLessThan(0.1e6);
  },
);

/** A network that has faded at 1041 ms, and a request with the given end. */
const fadedWith = (step: Partial<FlightStep>, bytes: number) => {
  const track = { ...newNetwork('wifi', 0), health: 'faded' as const, rttMs: 40 };
  const faded = { ...track, faded: { atMs: 1041, bytes: 0, unanswered: false } };
  const ended = { ...firstByte(bytes, 1500), ...step };
  return stepNetwork(faded, observed, [ended], { nowMs: 1500, stepMs: 50, config });
};

test('a small answer that is only late brings its network back', () => {
  expect(fadedWith({ ended: 'done' }, 4000).health).toBe('healthy');
  expect(fadedWith({ ended: undefined }, 4000).health).toBe('faded');
});

test('one event that ends two requests delays the next one once', () => {
  const failed = { ...firstByte(0, 100), bytes: 0, ended: 'failed' as const };
  const at = { nowMs: 3000, stepMs: 50, config };
  const after = stepNetwork(newNetwork('wifi', 0), observed, [failed, failed], at);
  expect(after.probeMs).toBe(3000 + config.probeMs);
});
