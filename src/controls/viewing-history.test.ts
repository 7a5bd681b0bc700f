import { describe, expect, it } from 'vitest';
import { createViewingHistory, startingAt } from './viewing-history';

function storage(initial: Record<string, string> = {}) {
  const items = new Map(Object.entries(initial));
  return () => ({
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
}

describe('viewing history', () => {
  it('starts where the viewer left', () => {
    const store = storage();
    createViewingHistory(store).watched('film', 61.7, 600);
    expect(createViewingHistory(store).startS('film')).toBe(61);
    expect(createViewingHistory(store).startS('another')).toBeUndefined();
  });

  it('starts a finished, a barely begun and a live stream at the beginning', () => {
    const history = createViewingHistory(storage());
    history.watched('finished', 598, 600);
    history.watched('begun', 3, 600);
    history.watched('live', 300, Infinity);
    history.watched('unknown', 300, NaN);
    for (const label of ['finished', 'begun', 'live', 'unknown']) {
      expect(history.startS(label)).toBeUndefined();
    }
    expect(history.recent()).toEqual(['unknown', 'live', 'begun', 'finished']);
  });

  it('keeps the newest dozen', () => {
    const history = createViewingHistory(storage());
    for (let index = 0; index < 20; index += 1) history.watched(`film ${index}`, 60, 600);
    history.watched('film 10', 70, 600);
    expect(history.recent()).toHaveLength(12);
    expect(history.recent()[0]).toBe('film 10');
  });

  it('survives a storage that is forbidden, full or foreign', () => {
    const forbidden = createViewingHistory(() => {
      throw new Error('forbidden');
    });
    forbidden.watched('film', 60, 600);
    expect(forbidden.recent()).toEqual([]);
    for (const text of ['{', '7', '[{"label":1}]', '[null]', '[{"label":"a","positionS":-1}]']) {
      expect(createViewingHistory(storage({ 'multipath-dash.history': text })).recent()).toEqual(
        [],
      );
    }
  });
});

describe('startingAt', () => {
  it('adds a fragment, and leaves one that is there', () => {
    expect(startingAt('https://a/b.mpd', 61)).toBe('https://a/b.mpd#t=61');
    expect(startingAt('https://a/b.mpd', undefined)).toBe('https://a/b.mpd');
    expect(startingAt('https://a/b.mpd#t=5', 61)).toBe('https://a/b.mpd#t=5');
  });
});
