import type { Metric } from '../../qoe';
import { columnScale } from './metric-text';
import type { MetricStatistics, Results, ScenarioResults } from './types';
import { acrossCells, acrossHead, acrossNote, acrossScenarios } from './across';
import { indentedTable } from './terminal-table';
import { trialsCounted } from './trial-counts';

/** The results for a terminal: findings and one table per scenario, mean and half the 95 % interval. */
export function resultsTable(results: Results): string {
  const tables = results.scenarios.map((one) => scenarioTable(one, results.metrics));
  return [...acrossText(results), ...tables].join('\n\n');
}

/** The players over all scenarios; nothing where there is only one. */
export function acrossText(results: Results): string[] {
  if (results.scenarios.length < 2) return [];
  const rows = [acrossHead, ...acrossCells(acrossScenarios(results))];
  const note = acrossNote(results);
  return [
    [
      `Players across ${results.scenarios.length} scenarios`,
      ...indentedTable(rows),
      ...(note === undefined ? [] : [`  ${note}`]),
    ].join('\n'),
  ];
}

function scenarioTable(scenario: ScenarioResults, metrics: readonly Metric[]): string {
  const shown = metrics
    .filter((metric) => metric.headline)
    .map((metric) => ({
      metric,
      rows: scenario.statistics.filter((one) => one.metric === metric.name),
    }))
    .filter(({ rows }) => rows.some((row) => row.mean !== null));
  const { counts } = scenario;
  const rows = shown.map(({ metric, rows }) => {
    const scale = columnScale(metric, Math.max(...rows.map((row) => Math.abs(row.mean ?? 0))));
    const head = scale.unit === '' ? metric.label : `${metric.label}, ${scale.unit}`;
    return [head, ...scenario.players.map((player) => cell(rows, player, scale))];
  });
  return [
    `${scenario.scenario}: ${scenario.title}`,
    `${counts.ok} of ${counts.planned} trials`,
    ...scenario.findings.map((text) => `  ${text}`),
    '',
    // A line a metric, a column a player: any number of metrics fits a terminal.
    ...indentedTable([['player', ...scenario.players], trialsCounted(scenario), ...rows]),
    '  mean ± half of the 95 % interval',
  ].join('\n');
}

function cell(
  rows: readonly MetricStatistics[],
  player: string,
  { divisor, digits }: { divisor: number; digits: number },
): string {
  const row = rows.find((one) => one.player === player);
  const { mean = null, meanHigh = null } = row ?? {};
  if (mean === null) return '–';
  const text = (mean / divisor).toFixed(digits);
  return meanHigh === null ? text : `${text} ± ${((meanHigh - mean) / divisor).toFixed(digits)}`;
}
