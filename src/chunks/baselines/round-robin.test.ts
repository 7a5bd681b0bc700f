import { expect, it } from 'vitest';
import { sharesOf } from '../testing/shares';
import { steady } from '../testing/world';

it('takes networks in turn, and passes over one without room', () => {
  const networks = ['a', 'b', 'c'].map((id) => steady(id, 2e6, 40));
  const { result, shares } = sharesOf('round-robin', networks);
  const order = result.actions.flatMap((one) => (one.kind === 'fetch' ? [one.networkId] : []));
  expect(order.slice(0, 6)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  for (const id of ['a', 'b', 'c']) expect(shares[id]).toBeCloseTo(1 / 3, 1);
});
