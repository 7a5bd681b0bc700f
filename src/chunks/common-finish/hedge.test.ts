import { describe, expect, it } from 'vitest';
import { createChunkScheduler } from '../registry';
import { runWorld, steady, type WorldNetwork, type WorldObject } from '../testing/world';

const scheduler = createChunkScheduler('common-finish');
const unknown = (network: WorldNetwork): WorldNetwork => ({ ...network, isRttUnknown: true });
const near = unknown(steady('near', 10e6, 40));

describe.each<[string, Partial<WorldObject>]>([
  ['a segment', {}],
  ['a manifest', { ranges: false }],
  ['a small file', { ranges: false, expectedBytes: 10_000 }],
])('the first object is %s', (_, kind) => {
  const objects = [{ objectId: 'first', bytes: 30_000, atMs: 0, isLengthKnown: false, ...kind }];

  it.each([
    ['far', unknown(steady('first', 10e6, 1500))],
    ['dark', unknown(steady('first', 0, 40))],
  ])('another network is asked too where the first one is %s', (__, first) => {
    const { doneMs } = runWorld({ scheduler, networks: [first, near], objects, untilMs: 4000 });
    expect(doneMs.get('first')).toBeLessThan(900);
  });

  it('one network is asked where it answers in time', () => {
    const first = unknown(steady('first', 10e6, 80));
    const { actions } = runWorld({ scheduler, networks: [first, near], objects, untilMs: 4000 });
    expect(actions).toHaveLength(1);
  });

  it('a costly network is not asked', () => {
    const first = unknown(steady('first', 10e6, 700));
    const costly = { ...near, costly: true };
    const { networkBytes } = runWorld({
      scheduler,
      networks: [first, costly],
      objects,
      untilMs: 4000,
    });
    expect(networkBytes.get('near')).toBe(0);
  });
});
