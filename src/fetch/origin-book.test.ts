import { expect, it } from 'vitest';
import { OriginFacts } from './origin-book';

const failed = { reason: 'no answer within 4000 ms' };

it('counts a network as out while it is connected again after a failed connection', () => {
  const facts = new OriginFacts();
  facts.connectFailed('a', failed, 0);
  // It may be asked again, and is still out.
  expect(facts.exclusionOf('a', 500)).toBeUndefined();
  expect(facts.outOf('a', 500)).toBe(failed.reason);
  expect(facts.outOf('b', 500)).toBeUndefined();
  facts.connectFailed('a', failed, 4500);
  expect(facts.outOf('a', 17_499)).toBe(failed.reason);
  // Nobody asked it again.
  expect(facts.outOf('a', 17_500)).toBeUndefined();
  expect(facts.unreachedOver('a')).toBe(failed.reason);
});

it('counts a network as in once it is connected, or after another exclusion', () => {
  const facts = new OriginFacts();
  facts.connectFailed('a', failed, 0);
  facts.connected('a');
  expect(facts.outOf('a', 499)).toBe(failed.reason);
  expect(facts.outOf('a', 500)).toBeUndefined();
  expect(facts.unreachedOver('a')).toBeUndefined();
  facts.later('a', 1000, 500);
  expect(facts.outOf('a', 1500)).toBeUndefined();
});

it('asks an origin without ranges for them again, ever more seldom, until it has them', () => {
  const facts = new OriginFacts();
  const asked = (nowMs: number): boolean => {
    const asks = facts.asksForRanges(nowMs);
    if (asks) facts.weak();
    return asks;
  };
  facts.weak();
  expect([0, 4999, 5000, 5001, 14_999, 15_000].map(asked)).toEqual([
    ...[false, false, true, false, false, true],
  ]);
  expect(facts.wholeReason).toMatch(/no byte ranges/);
  expect(facts.asksForRanges(35_000)).toBe(true);
  facts.joined();
  expect(facts.wholeReason).toBeUndefined();
  expect(facts.asksForRanges(35_001)).toBe(true);
});
