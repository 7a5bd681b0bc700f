import { mean, formatShare } from '../../core';
import type { Metric } from '../../qoe';
import { escapeHtml, table } from '../html';
import { htmlPage, type ReportAssets } from '../page';
import { trialsCounted } from './trial-counts';
import { acrossCells, acrossHead, acrossNote, acrossScenarios } from './across';
import { columnScale, metricText, pText } from './metric-text';
import { RESULTS_ELEMENT_ID, type ScenarioCharts } from './results-data';
import { playerLegend } from '../plot';
import { cdfPlot, dotPlot, optimumBars } from './svg';
import type { MetricStatistics, Results, ScenarioResults } from './types';

/** The results of runs as one self-contained HTML page. Throws RangeError on a malformed nonce. */
export function renderResults(
  results: Results,
  charts: readonly ScenarioCharts[],
  assets: ReportAssets,
): string {
  const { scenarios } = results;
  const [only] = scenarios;
  const title =
    scenarios.length === 1 && only ? only.title : `Results of ${scenarios.length} scenarios`;
  const overview = scenarios.length > 1 ? overviewSection(results) : '';
  const body = [
    overview,
    ...scenarios.map((one, i) => scenarioSection(one, charts[i], results.metrics, i)),
    definitions(results),
  ].join('\n');
  const value = charts.map(({ players, trials }) => ({ players, trials }));
  return htmlPage(title, body, { id: RESULTS_ELEMENT_ID, value }, assets);
}

function overviewSection(results: Results): string {
  const { scenarios } = results;
  const across = acrossScenarios(results);
  const note = acrossNote(results);
  const shares = across.filter(({ meanShare }) => meanShare !== null);
  const rows = scenarios.map((one) => [
    one.title,
    `${one.counts.ok} of ${one.counts.planned}`,
    one.findings[0] ?? '',
  ]);
  const scaled = (share: number | null): number | null => (share === null ? null : share * 100);
  const plot = dotPlot(
    {
      label: 'Share of the offline optimum, a dot a scenario',
      unit: '%',
      rows: shares.map((row) => ({
        player: row.player,
        values: row.shares.map((share) => share * 100),
        mean: scaled(row.meanShare),
        low: scaled(row.shareLow),
        high: scaled(row.shareHigh),
      })),
    },
    'scenarios',
  );
  return `<section><h2>Players across scenarios</h2>
<p class="note">Every scenario weighs the same. A win: no other player had a higher mean QoE; a scenario with fewer than two trials a player has no winner.${note === undefined ? '' : ` ${escapeHtml(note)}`}</p>
<div class="scroll">${table(acrossHead, acrossCells(across))}</div>
${shares.length === 0 ? '' : `<div class="figures">${plot}</div>`}
<h3>Each scenario</h3><div class="scroll">${table(['Scenario', 'Trials', 'What came out'], rows)}</div></section>`;
}

function scenarioSection(
  scenario: ScenarioResults,
  charts: ScenarioCharts | undefined,
  metrics: readonly Metric[],
  index: number,
): string {
  const [lead = '', ...rest] = scenario.findings;
  const list = rest.map((text) => `<li>${escapeHtml(text)}</li>`).join('');
  const { counts } = scenario;
  return `<section>
<h2>${escapeHtml(scenario.title)}</h2>
<p class="note">${escapeHtml(`${scenario.scenario} · ${scenario.source} · ${counts.ok} of ${counts.planned} trials counted`)}</p>
<p>${escapeHtml(scenario.description)}</p>
<p class="lead">${escapeHtml(lead)}</p>
<ul>${list}</ul>
${playerLegend(scenario.players)}
<h3>In figures</h3>
<p class="note">Mean ± half the 95 % confidence interval over the trials. The arrow says which way is better.</p>
<div class="scroll">${meansTable(scenario, metrics)}</div>
${shareSection(scenario)}
${charts ? chartSections(charts, index) : ''}
${comparisonSection(scenario, metrics)}
${noiseSection(scenario, metrics)}
${allMetricsSection(scenario, metrics)}
${trialsSection(scenario, metrics)}
${runsSection(scenario)}
</section>`;
}

const arrows = { higher: ' ↑', lower: ' ↓', none: '' };

function meansTable(scenario: ScenarioResults, metrics: readonly Metric[], all = false): string {
  const rows = metrics
    .filter((metric) => all || metric.headline)
    .flatMap((metric) => {
      const figures = scenario.players.map((player) =>
        scenario.statistics.find((one) => one.player === player && one.metric === metric.name),
      );
      if (!figures.some((one) => (one?.mean ?? null) !== null)) return [];
      const largest = Math.max(...figures.map((one) => Math.abs(one?.mean ?? 0)));
      const { unit, divisor, digits } = columnScale(metric, largest);
      const head = `${metric.label}${unit === '' ? '' : `, ${unit}`}${arrows[metric.better]}`;
      return [[head, ...figures.map((one) => meanCell(one, divisor, digits))]];
    });
  return table(['', ...scenario.players], [trialsCounted(scenario), ...rows]);
}

function meanCell(figures: MetricStatistics | undefined, divisor: number, digits: number): string {
  const { mean: centre = null, meanHigh = null } = figures ?? {};
  if (centre === null) return '–';
  const text = (centre / divisor).toFixed(digits);
  return meanHigh === null ? text : `${text} ± ${((meanHigh - centre) / divisor).toFixed(digits)}`;
}

function shareSection(scenario: ScenarioResults): string {
  const ignoresTraffic = scenario.trials.some((trial) => trial.optimum?.ignoresTraffic === true);
  const rows = scenario.players.flatMap((player) => {
    const optima = scenario.trials.flatMap((trial) => {
      const { optimum } = trial;
      const counts = trial.player === player && trial.status === 'ok';
      return counts && optimum && optimum.allPathsQoe !== null
        ? [{ ...optimum, allPathsQoe: optimum.allPathsQoe }]
        : [];
    });
    const of = (pick: (one: (typeof optima)[number]) => number): number | null =>
      mean(optima.map((one) => pick(one) / one.segments)) ?? null;
    const qoe = of((one) => one.playerQoe);
    const optimum = of((one) => one.allPathsQoe);
    if (qoe === null || optimum === null) return [];
    const single = of((one) =>
      Math.max(...Object.values(one.singlePathQoe).map((value) => value ?? -Infinity)),
    );
    const known = single !== null && Number.isFinite(single);
    return [{ player, qoe, optimum, single: known ? single : null }];
  });
  if (rows.length === 0) return '';
  const traffic = ignoresTraffic
    ? ' It does not subtract the background traffic, so nobody could have had all of it.'
    : '';
  return `<h3>Share of the offline optimum</h3>
<p class="note">What a player that knew the links’ future could have had from the same first request, first frame and number of segments, over a network without delay: an upper bound.${traffic}</p>
<div class="wide">${optimumBars(rows)}</div>`;
}

function chartSections(charts: ScenarioCharts, index: number): string {
  const options = charts.trials
    .map(({ player, trial, qoe }, i) => {
      const value = qoe === null ? '' : `, QoE ${qoe.toFixed(2)}`;
      return `<option value="${i}">${escapeHtml(`${player}, trial ${trial}${value}`)}</option>`;
    })
    .join('');
  const chart = (kind: string, heading: string): string =>
    `<h4>${heading}</h4><div class="chart" data-curve="${kind}" role="img" aria-label="${heading}"></div>`;
  const curves =
    charts.trials.length === 0
      ? ''
      : `<h3>One trial against another</h3>
<p class="note">Choose two. Time runs from each session’s first event; curves are means of bins, at most 240 a trial. Drag to zoom, double-click to go back. Red bands: stalls; dashed lines: path events.</p>
<div class="compare" data-scenario="${index}">
<p><label>A, full lines <select data-side="a">${options}</select></label> <label>B, dotted lines <select data-side="b">${options}</select></label></p>
${chart('rung', 'Bit rate on screen, and the forecast')}
${chart('buffer', 'Buffer')}
${chart('paths-a', 'A: rate of each path')}
${chart('paths-b', 'B: rate of each path')}
${chart('queue', 'Queue delay towards the client')}
</div>`;
  return `<h3>Every trial</h3>
<p class="note">A dot is a trial; the upright line is the mean, the bar its 95 % confidence interval.</p>
<div class="figures">${charts.dots.map((one) => dotPlot(one)).join('')}</div>
<h3>Distributions</h3>
<p class="note">All trials of a player together: the share of values that is no larger. Right of the axis lies at most 1 %.</p>
<div class="figures">${charts.cdfs.map((cdf) => cdfPlot(cdf, charts.players)).join('')}</div>
${curves}`;
}

function details(heading: string, html: string): string {
  return `<details><summary>${escapeHtml(heading)}</summary>${html}</details>`;
}

function comparisonSection(scenario: ScenarioResults, metrics: readonly Metric[]): string {
  const rows = metrics.flatMap((metric) =>
    scenario.comparisons
      .filter((one) => one.metric === metric.name && one.pairs > 0 && metric.headline)
      .map((one) => [
        metric.label,
        one.player,
        String(one.pairs),
        metricText(metric, one.meanDifference),
        one.low === null
          ? '–'
          : `${metricText(metric, one.low)} to ${metricText(metric, one.high)}`,
        one.effectSize?.toFixed(2) ?? '–',
        pText(one.pT),
        pText(one.pTHolm),
        pText(one.pWilcoxonHolm),
        one.verdict === 'few' ? 'too few pairs to decide' : one.verdict,
      ]),
  );
  if (rows.length === 0) return '';
  const head = ['Metric', 'Player', 'Pairs', 'Mean difference', '95 % interval', 'Effect size'];
  return `<h3>Against ${escapeHtml(scenario.reference ?? '')}, in pairs</h3>
<p class="note">Trials of the same number and seed are a pair. The paired t test and Wilcoxon’s exact signed-rank test, both after Holm’s correction for the number of players. Effect size: mean difference over the standard deviation of the differences.</p>
<div class="scroll">${table([...head, 't test', 't, Holm', 'Wilcoxon, Holm', 'Verdict'], rows)}</div>`;
}

function noiseSection(scenario: ScenarioResults, metrics: readonly Metric[]): string {
  const counts = [...new Set(scenario.noise.map((one) => one.trials))];
  const rows = metrics.flatMap((metric) =>
    scenario.players.flatMap((player) => {
      const points = scenario.noise.filter(
        (one) => one.metric === metric.name && one.player === player,
      );
      if (points.length === 0) return [];
      const cell = (trials: number): string => {
        const point = points.find((one) => one.trials === trials);
        const share = point?.relative ?? null;
        return share === null ? '–' : `± ${formatShare(share, 1)}`;
      };
      return [[metric.label, player, ...counts.map(cell)]];
    }),
  );
  if (rows.length === 0) return '';
  const head = ['Metric', 'Player', ...counts.map((count) => `${count} trials`)];
  return details(
    'Noise: how sure the mean is after so many trials',
    `<p class="note">Half the 95 % interval as a share of the mean, from the spread seen in this run.</p><div class="scroll">${table(head, rows)}</div>`,
  );
}

function allMetricsSection(scenario: ScenarioResults, metrics: readonly Metric[]): string {
  return details(
    'Every metric',
    `<div class="scroll">${meansTable(scenario, metrics, true)}</div>`,
  );
}

function trialsSection(scenario: ScenarioResults, metrics: readonly Metric[]): string {
  const shown = metrics.filter((metric) => metric.headline);
  const rows = scenario.trials.map((trial) => [
    String(trial.trial),
    trial.player,
    trial.status,
    ...shown.map((metric) => metricText(metric, trial.metrics[metric.name])),
    trial.problems.join('; '),
  ]);
  const head = ['Trial', 'Player', 'Status', ...shown.map((metric) => metric.label), 'Problems'];
  return details('Every trial in figures', `<div class="scroll">${table(head, rows)}</div>`);
}

function runsSection(scenario: ScenarioResults): string {
  const rows = scenario.runs.map((run) => [
    run.folder,
    run.startedAt,
    Object.entries(run.machine)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  ]);
  return details('Where and when', table(['Run', 'Started', 'Machine'], rows));
}

function definitions({ metrics, generator, warnings }: Results): string {
  const rows = metrics.map((one) => [one.name, one.label, one.unit, one.definition, one.source]);
  const summary =
    warnings.length === 0
      ? ''
      : `<h3>Warnings</h3><ul>${warnings.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
  return `<section>${summary}${details('What the metrics mean', `<div class="scroll">${table(['Name', 'Metric', 'Unit', 'Definition', 'From'], rows)}</div>`)}<p class="note">${escapeHtml(generator)}</p></section>`;
}
