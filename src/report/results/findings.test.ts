import { expect, it } from 'vitest';
import type { Metric } from '../../qoe';
import { findings } from './findings';
import type { ScenarioResults } from './types';

const qoe = { name: 'linearQoePerSegment', label: 'QoE', unit: 'Mbit/s', better: 'higher' };

/** The headline over players with these means of three trials each. */
function headline(means: Readonly<Record<string, number>>): string | undefined {
  const results = {
    reference: 'ours',
    players: Object.keys(means),
    statistics: Object.entries(means).map(([player, mean]) => ({
      ...{ player, metric: qoe.name, count: 3, mean, meanLow: null, meanHigh: null },
    })),
    comparisons: [],
    counts: { planned: 9 },
    trials: [],
  };
  return findings(results as unknown as ScenarioResults, [qoe as unknown as Metric])[0];
}

it('the headline names the player with the best QoE', () => {
  expect(headline({ ours: 1.7, bola: 1.6 })).toMatch(/^ours had the best QoE, 1\.70/);
});

it('players with the same best QoE share it', () => {
  expect(headline({ ours: 1.7, soda: 1.5, bola: 1.7 })).toMatch(
    /^ours and bola share the best QoE, 1\.70/,
  );
  // Three trials in another order: the sum differs in the last bit.
  const [a, b] = [(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3];
  expect(a).not.toBe(b);
  expect(headline({ ours: a, soda: b, bola: a })).toMatch(
    /^ours, (soda and bola|bola and soda) share/,
  );
});
