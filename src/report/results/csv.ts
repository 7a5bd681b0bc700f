import type { Results } from './types';

type Cell = string | number | boolean | null | undefined;

/** RFC 4180: CRLF, quotes where needed; null is an empty field. */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'number' ? numberText(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Nine significant digits: more than any clock here has. */
function numberText(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(9))) : '';
}

/** `results.csv`: a row per trial, a column per metric. */
export function trialsCsv(results: Results): string {
  const names = results.metrics.map((metric) => metric.name);
  const head = ['scenario', 'run', 'folder', 'player', 'trial', 'seed', 'status', 'problems'];
  const rows = results.scenarios.flatMap(({ scenario, trials }) =>
    trials.map((one) => [
      scenario,
      one.run,
      one.folder,
      one.player,
      one.trial,
      one.seed,
      one.status,
      one.problems.join('; '),
      ...names.map((name) => one.metrics[name]),
    ]),
  );
  return csvText([...head, ...names], rows);
}

/** `comparison.csv`: a row per player and metric, with its comparison to the reference player. */
export function comparisonCsv(results: Results): string {
  const head = [
    ...['scenario', 'metric', 'unit', 'player', 'trials', 'mean', 'mean_low95', 'mean_high95'],
    ...['standard_deviation', 'median', 'median_low', 'median_high', 'median_confidence'],
    ...['min', 'max', 'reference', 'pairs', 'mean_difference', 'difference_low95'],
    ...['difference_high95', 'relative_difference', 'effect_size_dz', 'rank_biserial', 'p_t'],
    ...['p_wilcoxon', 'p_t_holm', 'p_wilcoxon_holm', 'verdict'],
  ];
  const rows = results.scenarios.flatMap(({ scenario, statistics, comparisons }) =>
    statistics.map((one) => {
      const metric = results.metrics.find(({ name }) => name === one.metric);
      const versus = comparisons.find(
        ({ metric: name, player }) => name === one.metric && player === one.player,
      );
      return [
        ...[scenario, one.metric, metric?.unit, one.player, one.count],
        ...[one.mean, one.meanLow, one.meanHigh, one.standardDeviation],
        ...[one.median, one.medianLow, one.medianHigh, one.medianConfidence, one.min, one.max],
        ...[versus?.reference, versus?.pairs, versus?.meanDifference, versus?.low, versus?.high],
        ...[versus?.relativeDifference, versus?.effectSize, versus?.rankBiserial, versus?.pT],
        ...[versus?.pWilcoxon, versus?.pTHolm, versus?.pWilcoxonHolm, versus?.verdict],
      ];
    }),
  );
  return csvText(head, rows);
}
