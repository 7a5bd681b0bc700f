import { expect, it } from 'vitest';
import { acrossCells, acrossNote, acrossScenarios } from './across';
import type { MetricStatistics, ScenarioResults } from './types';

const statistics = (
  player: string,
  metric: string,
  mean: number,
  count: number,
): MetricStatistics => ({ player, metric, mean, count }) as MetricStatistics;

function scenario(name: string, shares: Record<string, number>, trials = 3): ScenarioResults {
  return {
    scenario: name,
    players: Object.keys(shares),
    statistics: Object.entries(shares).flatMap(([player, share]) => [
      statistics(player, 'optimumShare', share, trials),
      statistics(player, 'linearQoePerSegment', share * 4, trials),
      statistics(player, 'stalls', player === 'ours' ? 0 : 2, trials),
    ]),
  } as unknown as ScenarioResults;
}

it('gives scenarios equal weight: mean share with its interval, wins, stalls and the worst case', () => {
  const rows = acrossScenarios({
    scenarios: [
      scenario('a', { bola: 0.5, ours: 0.9 }),
      scenario('b', { bola: 0.8, ours: 0.7 }),
      scenario('c', { bola: 0.6, ours: 0.8 }),
    ],
  });
  expect(rows.map(({ player }) => player)).toEqual(['ours', 'bola']);
  expect(rows[0]).toMatchObject({ wins: 2, contests: 3, stalls: 0, worst: { scenario: 'b' } });
  expect(rows[0]?.meanShare).toBeCloseTo(0.8);
  // Student's t with two degrees of freedom: 4.303 * 0.1 / sqrt(3).
  expect(rows[0]?.shareHigh).toBeCloseTo(0.8 + 0.2484, 3);
  expect(acrossCells(rows)[1]).toEqual([
    'bola',
    '63.3 %',
    '25.4 % to 101.3 %',
    '3',
    '1 of 3',
    '2.00',
    '50.0 %, a',
  ]);
});

it('has no wins with one trial, and no interval with one scenario', () => {
  const [row] = acrossScenarios({ scenarios: [scenario('a', { ours: 0.9, bola: 0.5 }, 1)] });
  expect(row).toMatchObject({ wins: 0, contests: 0, shareLow: null });
});

it('leaves a scenario that a player failed out of every mean, so that nobody gains by failing', () => {
  const hard = scenario('hard', { ours: 0.3 });
  const scenarios = [
    scenario('easy', { ours: 0.9, bola: 0.8 }),
    { ...hard, players: ['ours', 'bola'] },
  ];
  const rows = acrossScenarios({ scenarios });
  expect(rows.map(({ player, meanShare }) => [player, meanShare])).toEqual([
    ['ours', 0.9],
    ['bola', 0.8],
  ]);
  expect(rows[0]?.worst).toEqual({ scenario: 'hard', share: 0.3 });
  expect(acrossNote({ scenarios })).toBe(
    'Left out of the means: 1 of 2 scenarios, in which not every player has a share: hard (no share of bola).',
  );
  expect(acrossNote({ scenarios: scenarios.slice(0, 1) })).toBeUndefined();
});
