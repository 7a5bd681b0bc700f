import type { MediaPlayerClass } from 'dashjs';
import { expect, test } from 'vitest';
import type { DashSettings } from './dash-settings';
import { DashEvent } from './dash-types';
import { beginAtLowestRung } from './first-rung';

test('the setting lasts until the first period is ready: later periods begin as by default', () => {
  const set: (number | undefined)[] = [];
  const listeners = new Map<string, () => void>();
  beginAtLowestRung({
    updateSettings: ({ streaming }: DashSettings) => {
      set.push(streaming?.abr?.initialBitrate?.video);
    },
    on: (name: string, listener: () => void) => void listeners.set(name, listener),
    off: (name: string) => void listeners.delete(name),
  } as unknown as MediaPlayerClass);
  expect(set).toEqual([1]);
  listeners.get(DashEvent.streamInitialized)?.();
  expect(set).toEqual([1, -1]);
  expect(listeners.size).toBe(0);
});
