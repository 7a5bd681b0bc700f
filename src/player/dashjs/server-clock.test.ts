import type { MediaPlayerClass } from 'dashjs';
import { afterEach, expect, it, vi } from 'vitest';
import { DashEvent } from './dash-types';
import { serverClock } from './server-clock';

afterEach(() => vi.useRealTimers());

it('follows what dash.js measured, and ignores a failed measurement', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const listeners = new Map<string, (event: { offset?: number }) => void>();
  const on = (name: string, listener: (event: object) => void): unknown =>
    listeners.set(name, listener);
  const nowMs = serverClock({ on } as unknown as MediaPlayerClass);
  const report = (offset: number): void =>
    listeners.get(DashEvent.updateTimeSyncOffset)?.({ offset });
  expect(nowMs()).toBe(1_000_000);
  report(-2500);
  report(NaN);
  expect(nowMs()).toBe(997_500);
  listeners.get(DashEvent.streamTeardownComplete)?.({});
  expect(nowMs()).toBe(1_000_000);
});
