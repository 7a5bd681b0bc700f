import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectLinkEvent, scheduleLinkEvents } from './link-events';

describe('collectLinkEvent', () => {
  it('reads time, path and state, one after another', () => {
    const first = collectLinkEvent('15s:path2:down');
    expect(collectLinkEvent('20.5s:path1:blackhole', first)).toEqual([
      { atMs: 15_000, pathId: 'path2', state: 'down' },
      { atMs: 20_500, pathId: 'path1', state: 'blackhole' },
    ]);
  });

  it.each(['', '15:path2:down', '15s:path:down', '15s:path2:off', '-1s:path1:up', '1s:path1:up '])(
    'refuses "%s" and shows how to write it',
    (text) => {
      expect(() => collectLinkEvent(text)).toThrow('15s:path2:down');
    },
  );
});

describe('scheduleLinkEvents', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const events = [...collectLinkEvent('1s:path2:down'), ...collectLinkEvent('3s:path2:up')];

  it('does each at its time and nothing that was called off', () => {
    const setLink = vi.fn(() => Promise.resolve());
    const callOff = scheduleLinkEvents(events, { setLink }, (error) => {
      throw error;
    });
    vi.advanceTimersByTime(1000);
    expect(setLink.mock.calls).toEqual([['path2', { state: 'down' }]]);
    callOff();
    vi.advanceTimersByTime(5000);
    expect(setLink).toHaveBeenCalledTimes(1);
  });

  it('tells of a link that could not be changed', async () => {
    const failure = new Error('gone');
    const told = vi.fn();
    scheduleLinkEvents(events, { setLink: () => Promise.reject(failure) }, told);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toHaveBeenCalledWith(failure);
  });
});
