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
