import { expect, it } from 'vitest';
import { createNetworkMemory } from './network-memory';

const wifi = { pathId: 'wlan0', address: '192.168.1.2', rateBps: 5e6 };
const lte = { pathId: 'wwan0', address: '10.0.0.2', rateBps: 2e6 };

function setUp(text: string | null = null) {
  let stored = text;
  let nowMs = 1e12;
  const storage = {
    getItem: () => stored,
    setItem: (_: string, value: string) => void (stored = value),
  };
  const memory = createNetworkMemory(
    () => storage,
    () => nowMs,
  );
  return { memory, wait: (ms: number) => void (nowMs += ms), text: () => stored };
}

it('keeps the newest record of each network for an hour', () => {
  const { memory, wait } = setUp();
  expect(memory.recall()).toEqual([]);
  memory.remember([wifi, lte]);
  wait(3_000_000);
  memory.remember([{ ...wifi, rateBps: 6e6 }]);
  expect(memory.recall()).toEqual([{ ...wifi, rateBps: 6e6 }, lte]);
  wait(1_000_000);
  expect(memory.recall()).toEqual([{ ...wifi, rateBps: 6e6 }]);
  // After a clock reset the age of the newest record is unknown.
  wait(-2_000_000);
  expect(memory.recall()).toEqual([lte]);
});

it('accepts nothing from a storage with foreign content, and survives a forbidden one', () => {
  for (const text of ['', '{', '{}', '7', '[null, 1, {}]', '[{"pathId":"a","rateBps":"fast"}]']) {
    const { memory } = setUp(text);
    expect(memory.recall()).toEqual([]);
    memory.remember([wifi]);
    expect(memory.recall()).toEqual([wifi]);
  }
  const forbidden = createNetworkMemory(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  forbidden.remember([wifi]);
  expect(forbidden.recall()).toEqual([]);
});
