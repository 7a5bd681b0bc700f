import type { MediaPlayerClass } from 'dashjs';
import { afterEach, expect, it, vi } from 'vitest';
import { DashEvent } from './dash-types';
import { serverClock } from './server-clock';

afterEach(() => vi.useRealTimers());

it('follows what dash.js measured, and ignores a failed measurement', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  let report: (event: { offset: number }) => void = vi.fn();
  const on = vi.fn((_: string, listener: typeof report) => (report = listener));
  const nowMs = serverClock({ on } as unknown as MediaPlayerClass);
  expect(on.mock.calls[0]?.[0]).toBe(DashEvent.updateTimeSyncOffset);
  expect(nowMs()).toBe(1_000_000);
  report({ offset: -2500 });
  report({ offset: NaN });
  expect(nowMs()).toBe(997_500);
});
