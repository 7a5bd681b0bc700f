import { expect, it } from 'vitest';
import { sharesOf } from '../testing/shares';
import { steady } from '../testing/world';

it('leaves out a network that is not above 0.6 times the fastest, once it is measured', () => {
  const networks = [steady('fast', 4e6, 40), steady('slow', 1e6, 40)];
  const objects = Array.from({ length: 60 }, (_, index) => ({
    objectId: `object-${index}`,
    bytes: 750_000,
    atMs: 0,
  }));
  const { result } = sharesOf('path-use-decision', networks, { objects, untilMs: 40_000 });
  const order = result.actions.flatMap((one) => (one.kind === 'fetch' ? [one.networkId] : []));
  expect(order.slice(0, 10)).toContain('slow');
  expect(order.slice(-10)).not.toContain('slow');
});

it('keeps both of a pair that is alike', () => {
  const { shares } = sharesOf('path-use-decision', [steady('a', 4e6, 40), steady('b', 3e6, 40)]);
  expect(shares['b']).toBeGreaterThan(0.35);
});
