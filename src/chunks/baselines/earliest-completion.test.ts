import { expect, it } from 'vitest';
import { sharesOf } from '../testing/shares';
import { steady } from '../testing/world';

it('waits for the fast network where the slow one would be later', () => {
  const networks = [steady('fast', 20e6, 40), steady('slow', 0.2e6, 40)];
  const { shares } = sharesOf('earliest-completion', networks);
  expect(shares['fast']).toBeGreaterThan(0.97);
});

it('adds up networks that are alike', () => {
  const networks = [steady('one', 4e6, 40), steady('two', 4e6, 40)];
  const { shares } = sharesOf('earliest-completion', networks);
  expect(shares['one']).toBeGreaterThan(0.35);
  expect(shares['two']).toBeGreaterThan(0.35);
});
