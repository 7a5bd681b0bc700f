import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWebSocketTransport } from './websocket-transport';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reports the end of a feed whose agent never answers. */
function silentFeed(timeoutMs?: number): () => boolean {
  let isOver = false;
  createWebSocketTransport({
    url: 'ws://127.0.0.1:4711/feed',
    token: 'one',
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    connect: () => ({
      readyState: 0,
      bufferedAmount: 0,
      send: () => undefined,
      close: () => (isOver = true),
      addEventListener: () => undefined,
    }),
  });
  return () => isOver;
}

it('gives an agent 15 s to answer', () => {
  const isOver = silentFeed();
  vi.advanceTimersByTime(14_999);
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isOver()).toBe(true);
});

it('waits without a limit if the page asks for it', () => {
  const isOver = silentFeed(Infinity);
  vi.advanceTimersByTime(3_600_000);
  expect(isOver()).toBe(false);
});
