import type { Metric } from '../../qoe';
import { findings } from './findings';
import { comparePlayers, metricStatistics, noiseOf } from './statistics';
import type { RunInfo, ScenarioResults, TrialResult } from './types';

/** What a scenario's runs left, before any figure is worked out. */
export interface ScenarioInput {
  scenario: string;
  title: string;
  source: string;
  description: string;
  players: readonly string[];
  runs: readonly RunInfo[];
  trials: readonly TrialResult[];
}

/** For these the noise is told: how sure a mean is after so many trials. */
const NOISE_METRICS = [
  'linearQoePerSegment',
  'averageVideoBitrateBps',
  'startupDelayMs',
  'throughputBps',
];

/**
 * Statistics, comparisons and sentences of one scenario.
 * @param reference the player the others are compared with; the first where it is not among them
 */
export function scenarioResults(
  input: ScenarioInput,
  metrics: readonly Metric[],
  reference?: string,
): ScenarioResults {
  const { players, trials } = input;
  const first = players.find((player) => player === reference) ?? players[0];
  const others = players.filter((player) => player !== first);
  const told = metrics.filter(({ name }) => trials.some((one) => one.metrics[name] !== undefined));
  const statistics = told.flatMap(({ name }) =>
    players.map((player) =>
      metricStatistics(
        player,
        name,
        trials.filter((trial) => trial.player === player),
      ),
    ),
  );
  const comparisons =
    first === undefined
      ? []
      : told.flatMap((metric) => comparePlayers(metric, first, others, trials));
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
