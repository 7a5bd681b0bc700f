import { summaryText, verdictText } from './verdict';
import type { Estimate } from '../../report';
import type { Cell, ExperimentReport, ExperimentTable, ExperimentRun } from './types';

const isEstimate = (cell: Cell): cell is Estimate => typeof cell === 'object' && cell !== null;

/** A number as short as its size allows, or with the digits of its column. */
function numberText(value: number, digits?: number): string {
  if (!Number.isFinite(value)) return '-';
  if (digits !== undefined) return value.toFixed(digits);
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 0.1) return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
  return String(Number(value.toPrecision(2)));
}

/** Digits that suit the mean and its interval. */
function digitsOf({ mean }: Estimate): number {
  const size = Math.abs(mean ?? 0);
  if (size >= 100) return 0;
  if (size >= 10) return 1;
  if (size >= 0.1 || size === 0) return 2;
  return Math.min(12, Math.ceil(-Math.log10(size)) + 1);
}

/** The text of a cell: `3.20 (2.90 to 3.50)` for a mean and its interval. */
export function cellText(cell: Cell, digits?: number): string {
  if (cell === null) return '-';
  if (typeof cell === 'string') return cell;
  if (!isEstimate(cell)) return numberText(cell, digits);
  const { mean, low, high } = cell;
  if (mean === null) return '-';
  const places = digits ?? digitsOf(cell);
  if (low === null || high === null) return numberText(mean, places);
  return `${numberText(mean, places)} (${numberText(low, places)} to ${numberText(high, places)})`;
}

/** `RTT (ms)` */
export const withUnit = ({ label, unit }: { label: string; unit?: string }): string =>
  unit === undefined || unit === '' ? label : `${label} (${unit})`;

/** Head and rows of a table as texts. */
export function tableTexts({ columns, rows }: ExperimentTable): {
  head: string[];
  rows: string[][];
} {
  return {
    head: columns.map(withUnit),
    rows: rows.map((row) => row.map((cell, column) => cellText(cell, columns[column]?.digits))),
  };
}

/** The origin of the figures, on every page and text. */
const BANNERS = {
  simulated:
    'Simulated: every figure here comes from the packet-level simulator (src/sim), none was measured on a network.',
  measured:
    'Measured in the lab: the kernel’s own MPTCP over links that a program emulates on this machine, not over real networks.',
};

export const bannerOf = ({ simulated }: ExperimentReport): string =>
  simulated ? BANNERS.simulated : BANNERS.measured;

/** The origin of the figures, as sentences. */
export function runLines(run: ExperimentRun, { simulated }: ExperimentReport): string[] {
  const { jobs, machine } = run;
  const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  const open = jobs.planned - jobs.done - jobs.failed;
  const lacks = (count: number, why: string): string[] =>
    count === 0 ? [] : [`${count} of them ${why} and are left out of every table and figure.`];
  return [
    `${jobs.done} of ${jobs.planned} ${simulated ? 'simulations' : 'runs'}${run.quick ? ', the quick profile' : ''}; first seed ${run.seed}; begun ${run.startedAt}; ${run.generator}.`,
    ...lacks(jobs.failed, 'failed'),
    ...lacks(open, 'are not run yet'),
    ...(facts.length === 0 ? [] : [`Machine: ${facts.join(', ')}.`]),
  ];
}

/** A report without a paper judges our own goals. */
const wordsOf = ({ paper }: Pick<ExperimentReport, 'paper'>) =>
  paper === ''
    ? { title: 'Goals', what: 'goals', column: 'goal' }
    : {
        title: 'Beside the paper',
        what: 'statements of the paper',
        column: 'the paper says',
      };

export const claimsTitle = (report: Pick<ExperimentReport, 'paper'>): string =>
  wordsOf(report).title;

export function claimsText(report: ExperimentReport): string {
  const { claims, simulated, claimsNote } = report;
  const how = simulated ? 'was simulated' : 'was measured';
  return [
    summaryText(claims, wordsOf(report).what, how),
    ...(claimsNote === undefined ? [] : [claimsNote]),
  ].join(' ');
}

/** A cell of a Markdown table: one line without a vertical bar. */
const inTable = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(inTable).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** A table with its title and note. @param heading `##` or deeper */
export function tableLines(one: ExperimentTable, heading = '##'): string[] {
  const { head, rows } = tableTexts(one);
  return [
    `${heading} ${one.title}`,
    '',
    ...markdownTable(head, rows),
    '',
    ...(one.note === '' ? [] : [one.note, '']),
  ];
}

/** Head and rows of the statements. A column of the paper's values, or of causes, is there if a statement has one. */
export function claimsTexts({ claims, paper }: Pick<ExperimentReport, 'claims' | 'paper'>): {
  head: string[];
  rows: string[][];
} {
  const hasValue = claims.some(({ paperValue }) => paperValue !== undefined);
  const hasWhy = claims.some(({ why }) => why !== undefined);
  return {
    head: [
      ...['place', wordsOf({ paper }).column, ...(hasValue ? ['paper'] : [])],
      ...['here', '', ...(hasWhy ? ['why'] : [])],
    ],
    rows: claims.map((claim) => [
      ...[claim.place, claim.paper, ...(hasValue ? [claim.paperValue ?? ''] : [])],
      ...[claim.ours, verdictText(claim), ...(hasWhy ? [claim.why ?? ''] : [])],
    ]),
  };
}

/** The statements as a Markdown table. */
export function claimsTable(report: ExperimentReport): string[] {
  const { head, rows } = claimsTexts(report);
  return markdownTable(head, rows);
}

/** The report as Markdown: the statements, then the tables; figures are on the page. */
export function experimentText(report: ExperimentReport, run: ExperimentRun): string {
  const { name, title, paper, method, claims, tables, figures } = report;
  return [
    `# ${title}`,
    '',
    `**${bannerOf(report)}**`,
    '',
    ...(paper === '' ? [] : [`The paper: "${paper}".`, '']),
    ...runLines(run, report).flatMap((line) => [line, '']),
    ...method.map((line) => `- ${line}`),
    ...(method.length === 0 ? [] : ['']),
    ...(claims.length === 0
      ? []
      : [`## ${claimsTitle(report)}`, '', claimsText(report), '', ...claimsTable(report), '']),
    ...tables.flatMap((table) => tableLines(table)),
    ...(figures.length === 0
      ? []
      : [`Figures in ${name}.html: ${figures.map((figure) => figure.title).join('; ')}.`, '']),
  ].join('\n');
}
