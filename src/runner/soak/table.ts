import { formatSeconds } from '../../core';
import type { SoakFigure } from './budgets';
import { exceeded, type SoakRecord } from './record';

const number = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(2);

function slope({ trend }: SoakFigure): string {
  if (trend === undefined) return '-';
  return `${number(trend.perHour)} (${number(trend.low)} to ${number(trend.high)})`;
}

/** The figures as a Markdown table. */
export function soakTable({ figures, log }: SoakRecord): string {
  const rows = figures.map((one) => [
    one.role,
    one.unit === '' ? one.figure : `${one.figure}, ${one.unit}`,
    number(one.first),
    number(one.last),
    slope(one),
    one.budget === undefined ? '-' : String(one.budget),
    one.verdict ?? '-',
  ]);
  const logRow = [
    ...['agent', 'log, MB', '0', number(log.mb), number(log.mbPerHour)],
    ...[String(log.budget), log.verdict],
  ];
  const header = ['process', 'figure', 'first', 'last', 'an hour (95 %)', 'budget', 'verdict'];
  return [header, header.map(() => '---'), ...rows, logRow]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The run's events, a sentence each. */
export function soakStory({ ranMs, viewer, ended, fault }: SoakRecord): string {
  const { actions, pages = 0, playedMs = 0, stalls = 0, stalledMs = 0 } = viewer;
  const did = Object.entries(actions)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
  const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`;
  return [
    `${ended} after ${minutes(ranMs)}${fault === undefined ? '' : `: ${fault}`}`,
    `actions: ${did}`,
    `${pages} pages played ${minutes(playedMs)} with ${stalls} stalls of ${formatSeconds(stalledMs, 0)}; ` +
      `${viewer.fatalErrors ?? 0} fatal errors, ${viewer.brokenLogs ?? 0} broken logs, ` +
      `longest standstill ${formatSeconds(viewer.longestStandstillMs, 0)}`,
  ].join('\n');
}

const verdictsOf = ({ figures, log }: SoakRecord): string[] =>
  [...figures, log].flatMap(({ verdict }) => verdict ?? []);

/** True if the time after the warm-up was too short for every figure. */
export const isUnjudged = (record: SoakRecord): boolean =>
  verdictsOf(record).every((one) => one === 'short');

/** The verdict in a line, with the number of figures that were not judged. */
export function soakOutcome(record: SoakRecord): string {
  const over = exceeded(record);
  const verdicts = verdictsOf(record);
  const short = verdicts.filter((one) => one === 'short').length;
  if (isUnjudged(record)) {
    return 'no figure was judged: the time after the warm-up was too short for all of them';
  }
  const outcome = over.length === 0 ? 'no budget exceeded' : `over: ${over.join(', ')}`;
  if (short === 0) return outcome;
  return `${outcome}; ${short} of ${verdicts.length} figures had too little time to be judged`;
}
