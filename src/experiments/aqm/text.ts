import { summaryText, verdictText } from '../report/verdict';
import type { AqmCell, AqmOrigin, AqmReport, AqmTable } from './types';

/** Mean and interval, as short as the size allows. */
export function cellText({ mean, low, high }: AqmCell): string {
  if (mean === null) return '-';
  const digits = Math.abs(mean) < 100 ? 1 : 0;
  if (low === null || high === null) return mean.toFixed(digits);
  return `${mean.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

export const heading = ({ label, unit }: AqmTable): string =>
  unit === '' ? label : `${label} (${unit})`;

/** The origin of the figures, as sentences. */
export function originLines({
  counts,
  trialMs,
  startedAt,
  machine,
  generator,
}: AqmOrigin): string[] {
  const length = trialMs === null ? '' : ` of ${trialMs / 1000} s`;
  const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  return [
    `${counts.ok} of ${counts.planned} trials${length} counted; started ${startedAt[0] ?? 'at an unknown time'}; ${generator}.`,
    ...(facts.length === 0 ? [] : [`Machine: ${facts.join(', ')}.`]),
  ];
}

function rowsText({ rows }: AqmTable): string[] {
  return [
    '| target | PIE | FQ-PIE |',
    '| --- | --- | --- |',
    ...rows.map((row) => `| ${row.targetMs} ms | ${cellText(row.pie)} | ${cellText(row.fqPie)} |`),
  ];
}

/** The report as Markdown: the statements, a table per figure, then the background traffic. */
export function aqmText({ origin, figures, claims, background }: AqmReport): string {
  return [
    '# PIE and FQ-PIE under DASH over MPTCP',
    '',
    ...originLines(origin),
    '',
    summaryText(claims),
    '',
    '## Beside the paper',
    '',
    '| Fig. | the paper says | here | |',
    '| --- | --- | --- | --- |',
    ...claims.map(
      (claim) => `| ${claim.figure} | ${claim.paper} | ${claim.ours} | ${verdictText(claim)} |`,
    ),
    '',
    '## Figures',
    '',
    'Mean over the trials and its 95 % confidence interval.',
    '',
    ...figures.flatMap((figure) => [
      `### Fig. ${figure.figure}: ${heading(figure)}`,
      '',
      ...rowsText(figure),
      '',
      `The paper: ${figure.paper}`,
      '',
    ]),
    '## The links and the background traffic',
    '',
    '| | target | PIE | FQ-PIE |',
    '| --- | --- | --- | --- |',
    ...background.flatMap((one) =>
      one.rows.map(
        (row, index) =>
          `| ${index === 0 ? heading(one) : ''} | ${row.targetMs} ms | ${cellText(row.pie)} | ${cellText(row.fqPie)} |`,
      ),
    ),
    '',
    ...(origin.warnings.length === 0
      ? []
      : ['## Warnings', '', ...origin.warnings.map((text) => `- ${text}`), '']),
  ].join('\n');
}
