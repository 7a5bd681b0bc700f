import type { Metric } from '../../qoe';
import {
  acrossText,
  indentedTable,
  type MetricStatistics,
  type Results,
  type ScenarioResults,
} from '../../report';

/** Columns of a run's table, with short heads. The report shows the rest. */
const COLUMNS: Readonly<Record<string, string>> = {
  linearQoePerSegment: 'QoE/segment',
  optimumShare: 'of optimum',
  averageVideoBitrateBps: 'video Mbit/s',
  goodputBps: 'goodput Mbit/s',
  stalls: 'stalls',
  stallMs: 'stalled s',
  startupDelayMs: 'start s',
};
const SCALES: Readonly<Record<string, number>> = { ms: 1e3, 'bit/s': 1e6, byte: 1e6 };

/** `3.20 [2.90,3.50] x1.52`: median, its interval (the mean's with too few trials), ratio to the first. */
function cell(
  own: MetricStatistics | undefined,
  first: MetricStatistics | undefined,
  { unit, better }: Metric,
): string {
  if (own?.median === undefined || own.median === null) return '–';
  const scale = SCALES[unit] ?? 1;
  const shown = (value: number): string => (value / scale).toFixed(2);
  const low = own.medianLow ?? own.meanLow;
  const high = own.medianHigh ?? own.meanHigh;
  const interval = low === null || high === null ? '' : ` [${shown(low)},${shown(high)}]`;
  const base = first?.median ?? 0;
  const ratio =
    own === first || base <= 0 || better !== 'higher' ? '' : ` x${(own.median / base).toFixed(2)}`;
  return `${shown(own.median)}${interval}${ratio}`;
}

/** A scenario's table: a row a player. */
function scenarioTable(scenario: ScenarioResults, metrics: readonly Metric[]): string[] {
  const { players, statistics, trials, counts, findings } = scenario;
  const columns = Object.keys(COLUMNS).flatMap(
    (name) => metrics.find((one) => one.name === name) ?? [],
  );
  const find = (player: string, metric: Metric): MetricStatistics | undefined =>
    statistics.find((one) => one.player === player && one.metric === metric.name);
  const [first = ''] = players;
  const rows = players.map((player) => [
    player,
    String(trials.filter((one) => one.player === player && one.status === 'ok').length),
    ...columns.map((metric) => cell(find(player, metric), find(first, metric), metric)),
  ]);
  return [
    `${scenario.scenario}: ${scenario.title}`,
    ...findings.map((text) => `  ${text}`),
    ...indentedTable([
      ['player', 'trials', ...columns.map(({ name }) => COLUMNS[name] ?? name)],
      ...rows,
    ]),
    `  ${counts.ok} of ${counts.planned} trials; medians [95 % interval] x ratio to ${first}`,
  ];
}

/** The results of a run for a terminal: one table a scenario. */
export function runTable(results: Results): string {
  const { scenarios, metrics } = results;
  const tables = scenarios.map((scenario) => scenarioTable(scenario, metrics).join('\n'));
  return [...acrossText(results), ...tables].join('\n\n');
}
