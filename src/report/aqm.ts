/**
 * What section IV of "Quantifying Multimedia Streaming Quality: A Practical Analysis using PIE and Flow Queue PIE"
 * measures (Figs. 2 to 13), from runs of the scenarios `pie-<n>ms` and `fq-pie-<n>ms`, beside what it says.
 */
import type { MetricStatistics, Results } from './results/types';

/** Mean over the trials and its 95 % confidence interval; null where there are too few. */
export interface AqmCell {
  count: number;
  mean: number | null;
  low: number | null;
  high: number | null;
}

export interface AqmRow {
  targetMs: number;
  pie: AqmCell;
  fqPie: AqmCell;
}

export interface AqmFigure {
  /** Number in the paper. */
  figure: number;
  label: string;
  unit: string;
  rows: AqmRow[];
}

/** One statement of the paper beside our figures. */
export interface AqmClaim {
  paper: string;
  /** Computed from the results. */
  ours: string;
  /** Null where the intervals overlap or figures are missing: nothing can be said. */
  agrees: boolean | null;
}

export interface AqmReport {
  figures: AqmFigure[];
  claims: AqmClaim[];
}

interface FigureSource {
  figure: number;
  /** Exact name of the metric. */
  metric: string;
  label: string;
  unit: string;
  /** What a value of the results is divided by. */
  divisor: number;
}

const FIGURES: readonly FigureSource[] = [
  [2, 'videoSwitches', 'Bitrate switches, video', '', 1],
  [3, 'averageVideoBitrateBps', 'Bitrate, video', 'kbit/s', 1000],
  [4, 'videoThroughputBps', 'Throughput, video', 'kbit/s', 1000],
  [5, 'videoBufferMeanMs', 'Buffer, video', 's', 1000],
  [6, 'applicationRttMs', 'Application RTT, video', 'ms', 1],
  [7, 'applicationJitterMs', 'Application jitter, video', 'ms', 1],
  [8, 'audioThroughputBps', 'Throughput, audio', 'kbit/s', 1000],
  [9, 'audioBufferMeanMs', 'Buffer, audio', 's', 1000],
  [10, 'audioApplicationRttMs', 'Application RTT, audio', 'ms', 1],
  [11, 'audioApplicationJitterMs', 'Application jitter, audio', 'ms', 1],
  [12, 'queueDelayMeanMs.r1-r3.ab', 'Queue delay, R1 to R3', 'ms', 1],
  [13, 'queueDelayMeanMs.r2-r4.ab', 'Queue delay, R2 to R4', 'ms', 1],
].map(([figure, metric, label, unit, divisor]) => ({
  figure: Number(figure),
  metric: String(metric),
  label: String(label),
  unit: String(unit),
  divisor: Number(divisor),
}));

const NOTHING: AqmCell = { count: 0, mean: null, low: null, high: null };

function cell(found: MetricStatistics | undefined, divisor: number): AqmCell {
  const scaled = (value: number | null): number | null => (value === null ? null : value / divisor);
  if (found === undefined) return NOTHING;
  const { count, mean, meanLow, meanHigh } = found;
  return { count, mean: scaled(mean), low: scaled(meanLow), high: scaled(meanHigh) };
}

function figureOf(results: Results, source: FigureSource, targetsMs: readonly number[]): AqmFigure {
  const of = (discipline: string, targetMs: number): AqmCell => {
    const name = `${discipline}-${String(targetMs)}ms`;
    const scenario = results.scenarios.find((one) => one.scenario === name);
    return cell(
      scenario?.statistics.find((one) => one.metric === source.metric),
      source.divisor,
    );
  };
  const rows = targetsMs.map((targetMs) => ({
    targetMs,
    pie: of('pie', targetMs),
    fqPie: of('fq-pie', targetMs),
  }));
  return { figure: source.figure, label: source.label, unit: source.unit, rows };
}

function meanOf(figure: AqmFigure | undefined, side: 'pie' | 'fqPie'): number | null {
  const means = (figure?.rows ?? []).map((row) => row[side].mean);
  const known = means.filter((mean) => mean !== null);
  if (known.length < means.length || known.length === 0) return null;
  return known.reduce((sum, mean) => sum + mean, 0) / known.length;
}

/** Whether every interval of one side lies apart from the other's; where not, the difference may be noise. */
function isApart(figure: AqmFigure | undefined): boolean {
  const apart = ({ pie, fqPie }: AqmRow): boolean =>
    pie.low !== null &&
    pie.high !== null &&
    fqPie.low !== null &&
    fqPie.high !== null &&
    (pie.high < fqPie.low || fqPie.high < pie.low);
  return figure?.rows.some(apart) ?? false;
}

function ratioClaim(
  figure: AqmFigure | undefined,
  paper: string,
  accept: (ratio: number) => boolean,
): AqmClaim {
  const [pie, fqPie] = [meanOf(figure, 'pie'), meanOf(figure, 'fqPie')];
  if (figure === undefined || pie === null || fqPie === null || pie === 0) {
    return { paper, ours: 'not measured', agrees: null };
  }
  const ratio = fqPie / pie;
  const noise = isApart(figure) ? '' : '; the intervals overlap at every target';
  return {
    paper,
    ours: `${ratio.toFixed(2)} times PIE's over all targets${noise}`,
    agrees: isApart(figure) ? accept(ratio) : null,
  };
}

function delayClaims(figure: AqmFigure): AqmClaim[] {
  const claims = figure.rows.map(({ targetMs, pie }): AqmClaim => {
    const ours = pie.mean === null ? 'not measured' : `${pie.mean.toFixed(1)} ms`;
    // Within a quarter, or 2 ms where that is more.
    const slackMs = Math.max(targetMs / 4, 2);
    return {
      paper: `${figure.label}: PIE keeps its target of ${String(targetMs)} ms`,
      ours,
      agrees: pie.mean === null ? null : Math.abs(pie.mean - targetMs) <= slackMs,
    };
  });
  const fq = figure.rows.find((row) => row.targetMs === 5)?.fqPie.mean ?? null;
  return [
    ...claims,
    {
      paper: `${figure.label}: FQ-PIE with a target of 5 ms swings from 10 to 20 ms`,
      ours: fq === null ? 'not measured' : `${fq.toFixed(1)} ms in the mean`,
      agrees: fq === null ? null : fq >= 10 && fq <= 20,
    },
  ];
}

/** Tables of all figures and the paper's statements beside what was measured. */
export function aqmReport(results: Results, targetsMs: readonly number[] = [5, 10, 15]): AqmReport {
  const figures = FIGURES.map((source) => figureOf(results, source, targetsMs));
  const at = (number: number): AqmFigure | undefined =>
    figures.find(({ figure }) => figure === number);
  const claims = [
    ratioClaim(at(4), 'FQ-PIE about doubles the throughput of video', (r) => r >= 1.6 && r <= 2.5),
    ratioClaim(at(8), 'FQ-PIE about doubles the throughput of audio', (r) => r >= 1.6 && r <= 2.5),
    ratioClaim(at(3), 'FQ-PIE streams a higher bitrate (600 beside 300 kbit/s)', (r) => r > 1),
    ratioClaim(at(2), 'FQ-PIE has fewer switches', (r) => r < 1),
    ratioClaim(at(5), 'FQ-PIE has a slightly lower video buffer', (r) => r < 1 && r > 0.7),
    ratioClaim(at(9), 'FQ-PIE has a slightly lower audio buffer', (r) => r < 1 && r > 0.7),
    ratioClaim(at(6), 'FQ-PIE has a slightly higher RTT of video', (r) => r > 1 && r < 1.3),
    ratioClaim(at(10), 'FQ-PIE has a shorter RTT of audio', (r) => r < 1),
    ratioClaim(at(7), 'FQ-PIE has less jitter of video', (r) => r < 1),
    ratioClaim(at(11), 'FQ-PIE has more jitter of audio', (r) => r > 1),
    ...figures.filter(({ figure }) => figure >= 12).flatMap(delayClaims),
  ];
  return { figures, claims };
}

function cellText({ mean, low, high }: AqmCell): string {
  if (mean === null) return '-';
  const digits = Math.abs(mean) < 100 ? 1 : 0;
  if (low === null || high === null) return mean.toFixed(digits);
  return `${mean.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** The report as Markdown: a table a figure, then the statements. */
export function aqmText({ figures, claims }: AqmReport): string {
  const tables = figures.flatMap(({ figure, label, unit, rows }) => [
    `### Fig. ${String(figure)}: ${label}${unit === '' ? '' : ` (${unit})`}`,
    '',
    '| target | PIE | FQ-PIE |',
    '| --- | --- | --- |',
    ...rows.map(
      (row) => `| ${String(row.targetMs)} ms | ${cellText(row.pie)} | ${cellText(row.fqPie)} |`,
    ),
    '',
  ]);
  const said = { true: 'agrees', false: 'differs', null: 'cannot be told' };
  return [
    '# PIE and FQ-PIE under DASH over MPTCP',
    '',
    'Mean over the trials and its 95 % confidence interval.',
    '',
    ...tables,
    '## Beside the paper',
    '',
    '| the paper says | here | |',
    '| --- | --- | --- |',
    ...claims.map(({ paper, ours, agrees }) => `| ${paper} | ${ours} | ${said[`${agrees}`]} |`),
    '',
  ].join('\n');
}
