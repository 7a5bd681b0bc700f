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

it('stays on a congested network if the faster one has a longer round trip, unlike TP-STY', () => {
  const networks = [near, steady('far', 3e6, 300)];
  const later = (name: string): (string | undefined)[] =>
    sharesOf(name, networks)
      .result.actions.flatMap((one) => (one.kind === 'fetch' ? [one.networkId] : []))
      .slice(-6);
  expect(later('tr-sty')).toContain('near');
  expect(later('tp-sty')).not.toContain('near');
});
