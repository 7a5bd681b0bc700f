import { expect, it } from 'vitest';
import { sharesOf } from '../testing/shares';
import { steady, type WorldNetwork } from '../testing/world';

const near = (laterBps: number): WorldNetwork => ({
  networkId: 'near',
  rttMs: 20,
  phases: [
    { fromMs: 0, rateBps: 4e6, isUp: true },
    { fromMs: 8000, rateBps: laterBps, isUp: true },
  ],
});

it('stays on the nearest network until it is congested', () => {
  const { shares } = sharesOf('gr-sty', [near(4e6), steady('far', 3e6, 80)]);
  expect(shares['near']).toBeGreaterThan(0.95);
});

it('moves to the other one permanently, even to a slower one', () => {
  const { result } = sharesOf('gr-sty', [near(1e6), steady('far', 0.8e6, 80)]);
  const last = result.actions.filter((one) => one.kind === 'fetch').at(-1);
  expect(last).toMatchObject({ networkId: 'far' });
});
