import { expect, test } from 'vitest';
import type { PathState, WantedPathState } from '../core';
import type { PathHealth, PathHealthState } from './path-health';
import { besideStale } from './beside-stale';
import { measuredTrack } from './testing/track';

type Case = readonly [state: PathState, health: PathHealthState, wanted: WantedPathState];

function planned(cases: Record<string, Case>): Record<string, WantedPathState> {
  const entries = Object.entries(cases);
  const health = entries.map(([pathId, [, state]]) => ({ pathId, state }) as PathHealth);
  const paths = new Map(
    entries.map(([pathId, [state]]) => [pathId, measuredTrack(1e6, 0, { state })]),
  );
  const desired = new Map(entries.map(([pathId, [, , wanted]]) => [pathId, wanted]));
  return Object.fromEntries(besideStale(health, { paths }, desired));
}

const stale: Case = ['lost', 'stale', 'active'];

test('a backup carries where no other path does, and stays one beside a healthy path', () => {
  const lte: Case = ['backup', 'healthy', 'backup'];
  expect(planned({ wifi: stale, lte })).toEqual({ wifi: 'closed', lte: 'active' });
  const eth: Case = ['active', 'healthy', 'active'];
  expect(planned({ wifi: stale, eth, lte })).toEqual({
    ...{ wifi: 'closed', eth: 'active', lte: 'backup' },
  });
});

test.each<[string, Case]>([
  ['suspect', ['active', 'suspect', 'active']],
  ['still connecting', ['connecting', 'healthy', 'active']],
])('all carry beside a path that is %s', (_, eth) => {
  const lte: Case = ['lost', 'healthy', 'closed'];
  expect(planned({ wifi: stale, eth, lte })).toMatchObject({ eth: 'active', lte: 'active' });
});

test('a path that is tried again may open, and one that is out keeps the wish of the policy', () => {
  const lte: Case = ['active', 'healthy', 'active'];
  const probed: Case = ['lost', 'probing', 'backup'];
  const out: Case = ['lost', 'out', 'backup'];
  expect(planned({ wifi: stale, lte, probed, out })).toMatchObject({
    ...{ probed: 'active', out: 'backup' },
  });
});
