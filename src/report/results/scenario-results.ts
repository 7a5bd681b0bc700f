import type { Metric } from '../../qoe';
import { findings } from './findings';
import { comparePlayers, metricStatistics, noiseOf } from './statistics';
import type { RunInfo, ScenarioResults, TrialResult } from './types';

/** The records of a scenario's runs, before any computation. */
export interface ScenarioInput {
  scenario: string;
  title: string;
  source: string;
  description: string;
  players: readonly string[];
  runs: readonly RunInfo[];
  trials: readonly TrialResult[];
}

/** Metrics with a noise figure: the precision of a mean after this number of trials. */
const NOISE_METRICS = [
  'linearQoePerSegment',
  'averageVideoBitrateBps',
  'startupDelayMs',
  'throughputBps',
];

/**
 * Statistics, comparisons and sentences of one scenario.
 * @param reference the player to compare with; the first if it is missing
 */
export function scenarioResults(
  input: ScenarioInput,
  metrics: readonly Metric[],
  reference?: string,
): ScenarioResults {
  const { players, trials } = input;
  const first = players.find((player) => player === reference) ?? players[0];
  const others = players.filter((player) => player !== first);
  const measured = metrics.filter(({ name }) =>
    trials.some((one) => one.metrics[name] !== undefined),
  );
  const statistics = measured.flatMap((metric) =>
    players.map((player) =>
      metricStatistics(
        player,
        metric,
        trials.filter((trial) => trial.player === player),
      ),
    ),
  );
  const comparisons =
    first === undefined
      ? []
      : measured.flatMap((metric) => comparePlayers(metric, first, others, trials));
  const counts = { planned: trials.length, ok: 0, failed: 0, cut: 0, missing: 0 };
  for (const { status } of trials) counts[status] += 1;
  const results: ScenarioResults = {
    ...input,
    players: [...players],
    runs: [...input.runs],
    trials: [...trials],
    reference: first ?? null,
    counts,
    findings: [],
    statistics,
    comparisons,
    noise: statistics.filter((one) => NOISE_METRICS.includes(one.metric)).flatMap(noiseOf),
  };
  return { ...results, findings: findings(results, metrics) };
}
