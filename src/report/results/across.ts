import { mean, formatShare } from '../../core';
import { estimate } from './estimate';
import type { MetricStatistics, Results, ScenarioResults } from './types';

/** The metrics that judge a player over several scenarios. */
const SHARE = 'optimumShare';
const QOE = 'linearQoePerSegment';
const STALLS = 'stalls';

/** Least trials of each player for a win: with one, the difference may be chance. */
const MIN_TRIALS = 2;

/** A player over the scenarios that count; every scenario has the same weight. */
export interface AcrossRow {
  player: string;
  /** Share of the offline optimum, one value for each scenario that counts. */
  shares: number[];
  meanShare: number | null;
  /** 95 % interval of the mean over scenarios (Student's t); null for fewer than two. */
  shareLow: number | null;
  shareHigh: number | null;
  /** Scenarios in which no other player had a higher mean QoE. */
  wins: number;
  /** Scenarios that could be won: two players, each with two trials or more. */
  contests: number;
  /** Stalls per trial, the mean over scenarios. */
  stalls: number | null;
  /** The scenario with the lowest share. */
  worst: { scenario: string; share: number } | null;
}

const statisticsOf = (
  scenario: ScenarioResults,
  player: string,
  metric: string,
): MetricStatistics | undefined =>
  scenario.statistics.find((one) => one.player === player && one.metric === metric);

const shareOf = (scenario: ScenarioResults, player: string): number | null =>
  statisticsOf(scenario, player, SHARE)?.mean ?? null;

/**
 * Scenarios in which some players have a share of the optimum, but not all. They do not count for means and order: a
 * player that fails where the others score low would gain by it.
 */
function incomplete(scenarios: readonly ScenarioResults[]): ScenarioResults[] {
  return scenarios.filter((scenario) => {
    const have = scenario.players.filter((player) => shareOf(scenario, player) !== null);
    return have.length > 0 && have.length < scenario.players.length;
  });
}

/** Players with the highest mean QoE; undefined if there are too few players or trials for a winner. */
function winners(scenario: ScenarioResults): string[] | undefined {
  const ranked = scenario.players.flatMap((player) => {
    const { mean: qoe = null, count = 0 } = statisticsOf(scenario, player, QOE) ?? {};
    return qoe === null ? [] : [{ player, qoe, count }];
  });
  if (ranked.length < 2 || ranked.some(({ count }) => count < MIN_TRIALS)) return undefined;
  const top = Math.max(...ranked.map(({ qoe }) => qoe));
  return ranked.filter(({ qoe }) => qoe === top).map(({ player }) => player);
}

/** One row a player, the largest mean share of the optimum first. */
export function acrossScenarios({ scenarios }: Pick<Results, 'scenarios'>): AcrossRow[] {
  const players = [...new Set(scenarios.flatMap((one) => one.players))];
  const won = scenarios.map(winners);
  const left = incomplete(scenarios);
  const counted = scenarios.filter((one) => !left.includes(one));
  const rows = players.map((player): AcrossRow => {
    const shared = scenarios.flatMap((scenario) => {
      const share = shareOf(scenario, player);
      return share === null ? [] : [{ scenario: scenario.scenario, share }];
    });
    const shares = counted.flatMap((one) => shareOf(one, player) ?? []);
    const share = estimate(shares);
    const stalls = counted.flatMap((one) => statisticsOf(one, player, STALLS)?.mean ?? []);
    const [worst] = [...shared].sort((a, b) => a.share - b.share);
    return {
      player,
      shares,
      meanShare: share.mean,
      shareLow: share.low,
      shareHigh: share.high,
      wins: won.filter((names) => names?.includes(player)).length,
      contests: scenarios.filter((one, i) => won[i] !== undefined && one.players.includes(player))
        .length,
      stalls: mean(stalls) ?? null,
      worst: worst ?? null,
    };
  });
  return rows.sort((a, b) => (b.meanShare ?? -Infinity) - (a.meanShare ?? -Infinity));
}

/** A sentence about the scenarios that are left out of the means; undefined if all count. */
export function acrossNote({ scenarios }: Pick<Results, 'scenarios'>): string | undefined {
  const left = incomplete(scenarios);
  if (left.length === 0) return undefined;
  const causes = left.map((scenario) => {
    const without = scenario.players.filter((player) => shareOf(scenario, player) === null);
    return `${scenario.scenario} (no share of ${without.join(', ')})`;
  });
  return `Left out of the means: ${left.length} of ${scenarios.length} scenarios, in which not every player has a share: ${causes.join('; ')}.`;
}

export const acrossHead = [
  'Player',
  'Mean share of the optimum',
  '95 % over scenarios',
  'Scenarios',
  'Wins',
  'Stalls a trial',
  'Worst case',
];

/** The rows as text, in the order of `acrossHead`. */
export function acrossCells(rows: readonly AcrossRow[]): string[][] {
  return rows.map((row) => [
    row.player,
    row.meanShare === null ? '–' : formatShare(row.meanShare, 1),
    row.shareLow === null || row.shareHigh === null
      ? '–'
      : `${formatShare(row.shareLow, 1)} to ${formatShare(row.shareHigh, 1)}`,
    String(row.shares.length),
    row.contests === 0 ? '–' : `${row.wins} of ${row.contests}`,
    row.stalls === null ? '–' : row.stalls.toFixed(2),
    row.worst === null ? '–' : `${formatShare(row.worst.share, 1)}, ${row.worst.scenario}`,
  ]);
}
