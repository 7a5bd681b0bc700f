import { expect, test } from 'vitest';
import { updateEwma, emptyEwma } from '../core';
import { unknownRate } from './path-rate';
import type { PathTrack } from './state';
import { blocksStream, isDormant } from './usable';

function track(bps: number, facts: Partial<PathTrack>): PathTrack {
  const rate = {
    ...unknownRate,
    fast: updateEwma(emptyEwma, bps, 1000, 1000),
    slow: updateEwma(emptyEwma, bps, 1000, 1000),
  };
  const known: Partial<PathTrack> = {
    state: 'active',
    silentMs: 0,
    unusedMs: 0,
    minRcvRttMs: 50,
    rate,
  };
  return { ...({} as PathTrack), ...known, ...facts };
}

const silent = (wifi: PathTrack, lte: PathTrack): boolean =>
  blocksStream(
    {
      paths: new Map([
        ['wifi', wifi],
        ['lte', lte],
      ]),
    },
    'wifi',
  );

test('a path that carried much and delivers nothing while others continue is silent', () => {
  const lte = track(2e6, {});
  expect(silent(track(5e6, { silentMs: 600 }), lte)).toBe(false);
  expect(silent(track(5e6, { silentMs: 700 }), lte)).toBe(true);
  expect(silent(track(5e6, { silentMs: 700, state: 'backup' }), lte)).toBe(false);
});

test('the scheduler may leave a slow path idle: it is dormant only after a while', () => {
  const lte = (silentMs: number) => track(1e6, { silentMs, unusedMs: silentMs });
  const paths = new Map([
    ['wifi', track(5e6, {})],
    ['lte', lte(1400)],
  ]);
  expect(blocksStream({ paths }, 'lte')).toBe(false);
  expect(isDormant(lte(1400))).toBe(false);
  expect(isDormant(lte(1500))).toBe(true);
});

test('if no path delivers, none can be judged', () => {
  expect(silent(track(5e6, { silentMs: 900 }), track(2e6, { silentMs: 900 }))).toBe(false);
});
