import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSuspend } from './suspend';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it.each([
  ['a suspend', 60_000, 1],
  ['a busy second', 800, 0],
])('%s: the number of reported suspends', (_, extraMs, times) => {
  let suspendedMs = 0;
  const onResume = vi.fn();
  const stop = watchSuspend(onResume, () => performance.now() + suspendedMs);
  vi.advanceTimersByTime(5000);
  suspendedMs += extraMs;
  vi.advanceTimersByTime(5000);
  expect(onResume).toHaveBeenCalledTimes(times);
  stop();
  suspendedMs += 60_000;
  vi.advanceTimersByTime(5000);
  expect(onResume).toHaveBeenCalledTimes(times);
});
