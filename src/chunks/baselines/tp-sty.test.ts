import { expect, it } from 'vitest';
import { sharesOf } from '../testing/shares';
import { steady, type WorldNetwork } from '../testing/world';

const near: WorldNetwork = {
  networkId: 'near',
  rttMs: 20,
  phases: [
    { fromMs: 0, rateBps: 4e6, isUp: true },
    { fromMs: 8000, rateBps: 1e6, isUp: true },
  ],
};

/** Networks that chunks went over after the nearest one became congested and the rule had time to see it. */
function usedLater(farBps: number): Set<string> {
  const { result } = sharesOf('tp-sty', [near, steady('far', farBps, 80)]);
  const fetches = result.actions.flatMap((one) => (one.kind === 'fetch' ? [one.networkId] : []));
  return new Set(fetches.slice(-6));
}

it('leaves a congested network for a faster one', () => {
  expect(usedLater(3e6)).toEqual(new Set(['far']));
});

it('does not move to a slower one permanently', () => {
  expect(usedLater(0.5e6)).toContain('near');
});
