import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TokenBucket } from './token-bucket';

it('never gives more than the burst and the refill since', () => {
  const step = fc.record({ waitMs: fc.nat(2000), amount: fc.nat(30) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const bucket = new TokenBucket({ burst: 20, perSecond: 10, nowMs: 0 });
      let [nowMs, given] = [0, 0];
      for (const { waitMs, amount } of steps) {
        nowMs += waitMs;
        if (bucket.take(amount, nowMs)) given += amount;
        expect(given).toBeLessThanOrEqual(20 + nowMs / 100 + 1e-6);
      }
    }),
  );
});

it('refills in time, and gives nothing while the clock jumps back', () => {
  const bucket = new TokenBucket({ burst: 1, perSecond: 1, nowMs: 5000 });
  expect(bucket.take(1, 5000)).toBe(true);
  expect(bucket.take(1, 0)).toBe(false);
  expect(bucket.take(1, 500)).toBe(false);
  expect(bucket.take(1, 1000)).toBe(true);
});
