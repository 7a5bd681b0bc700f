import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorText, printableLine, formatSeconds } from '../../core';
import type { SessionSummary } from '../../qoe';
import { decisionText, type DecisionLine } from '../../report';
import { jsonText } from './terminal';
import { UserError } from './user-error';
import { writeWhole } from './write-whole';

export const megabit = (bps: number): string => `${(bps / 1e6).toFixed(2)} Mbit/s`;
const seconds = (ms: number | null): string => (ms === null ? '-' : formatSeconds(ms, 2));

/** Indices of the 5th and the 95th percentile in steps of 5 %. */
const SPREAD = { low: 1, high: 19 };

const latencyText = ({
  mean,
  percentiles,
}: {
  mean: number;
  percentiles: readonly number[];
}): string =>
  `mean ${seconds(mean)}, 5 to 95 %: ${seconds(percentiles[SPREAD.low] ?? null)} to ${seconds(percentiles[SPREAD.high] ?? null)}`;

/** A summary for people, as lines. */
export function summaryLines(summary: SessionSummary): string[] {
  const rows: [string, string][] = [
    ['played', seconds(summary.playedMs)],
    ['startup delay', seconds(summary.startupDelayMs)],
    ['average bitrate', megabit(summary.averageBitrateBps)],
    ['switches', `${summary.switches} (${megabit(summary.switchMagnitudeBps)} in all)`],
    ['stalls', `${summary.stalls.count} (${seconds(summary.stalls.totalMs)})`],
    ['buffer', `mean ${seconds(summary.bufferMs.mean)}, least ${seconds(summary.bufferMs.min)}`],
    ...(summary.liveLatencyMs
      ? [['live latency', latencyText(summary.liveLatencyMs)] as [string, string]]
      : []),
    ['dropped frames', `${summary.droppedFrames} of ${summary.decodedFrames}`],
    ['linear QoE', summary.linearQoe === null ? '-' : summary.linearQoe.perSegment.toFixed(2)],
    ...summary.paths.map((path): [string, string] => [
      path.id,
      `${(path.bytes / 1e6).toFixed(2)} MB, mean ${megabit(path.meanRateBps)}, ${path.sharePercent.toFixed(0)} %`,
    ]),
    ['transport', summary.transport === null ? '-' : summary.transport.last.reason],
    ...(summary.errorCount === 0
      ? []
      : [
          ['problems', `${summary.errorCount}, first: ${summary.errors[0]?.message ?? ''}`] as [
            string,
            string,
          ],
        ]),
  ];
  // A text of the server must not begin a line of its own.
  return rows.map(([name, value]) => `  ${name.padEnd(16)} ${printableLine(value)}`);
}

/** Lines of decisions shown on a terminal: the first ones and the last. */
const shownDecisions = { first: 4, last: 8 };

/**
 * Lists the used paths with times and reasons, as lines. A long list loses its middle; the report is
 * complete.
 */
export function decisionLines(decisions: readonly DecisionLine[]): string[] {
  if (decisions.length === 0) return [];
  const { first, last } = shownDecisions;
  const texts = decisions.map((line) => `    ${printableLine(decisionText(line))}`);
  const left = texts.length - first - last;
  const shown =
    left <= 0
      ? texts
      : [...texts.slice(0, first), `    … ${left} more in the report`, ...texts.slice(-last)];
  return ['  path decisions', ...shown];
}

/** Thousandths of a millisecond or of a bit per second are noise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

/** Checks before a long run that `--json` can be written. @throws UserError if not */
export function checkJsonFile(file: string): void {
  if (file === '-') return;
  try {
    accessSync(isDevice(file) ? file : path.dirname(file), constants.W_OK);
  } catch (error) {
    const reason = errorText(error);
    throw new UserError(`--json ${file} cannot be written (${reason})`, 2);
  }
}

/** JSON as the files of records have it. */
export const recordText = (value: unknown): string => `${jsonText(value, 2, rounded)}\n`;

/** A terminal, a pipe or `/dev/null`: it is written to, while a file is replaced as a whole. */
const isDevice = (file: string): boolean => existsSync(file) && !statSync(file).isFile();

/**
 * Writes JSON to a file, or to standard output for `-`. It replaces a symbolic link, which could lead to another file.
 * @param mode of a new file
 */
export function writeJson(file: string, value: unknown, mode = 0o666): void {
  const text = recordText(value);
  if (file === '-') process.stdout.write(text);
  else if (isDevice(file)) writeFileSync(file, text);
  else writeWhole(file, text, mode);
}
