import { expect, it } from 'vitest';
import { sharesOf } from '../testing/shares';
import { steady } from '../testing/world';

it('sends the first chunk over the nearest network, whatever it carries', () => {
  const networks = [steady('fast', 8e6, 120), steady('near', 1e6, 20)];
  const { result } = sharesOf('shortest-rtt', networks);
  const [first] = result.actions;
  expect(first).toMatchObject({ kind: 'fetch', networkId: 'near' });
});
