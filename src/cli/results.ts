import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionSummary } from '../qoe';
import { decisionText, type DecisionLine } from '../report';
import { CliError } from './cli-error';

const megabit = (bps: number): string => `${(bps / 1e6).toFixed(2)} Mbit/s`;
const seconds = (ms: number | null): string => (ms === null ? '-' : `${(ms / 1000).toFixed(2)} s`);

/** A summary for people, as lines. */
export function summaryLines(summary: SessionSummary): string[] {
  const rows: [string, string][] = [
    ['played', seconds(summary.playedMs)],
    ['startup delay', seconds(summary.startupDelayMs)],
    ['average bitrate', megabit(summary.averageBitrateBps)],
    ['switches', `${summary.switches} (${megabit(summary.switchMagnitudeBps)} in all)`],
    ['stalls', `${summary.stalls.count} (${seconds(summary.stalls.totalMs)})`],
    ['buffer', `mean ${seconds(summary.bufferMs.mean)}, least ${seconds(summary.bufferMs.min)}`],
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
  return rows.map(([name, value]) => `  ${name.padEnd(16)} ${value}`);
}

/** Lines of decisions shown on a terminal: the first ones and the last. */
const shownDecisions = { first: 4, last: 8 };

/** Which paths were used when and why, as lines; a long list loses its middle, the report has it whole. */
export function decisionLines(decisions: readonly DecisionLine[]): string[] {
  if (decisions.length === 0) return [];
  const { first, last } = shownDecisions;
  const texts = decisions.map((line) => `    ${decisionText(line)}`);
  const left = texts.length - first - last;
  const shown =
    left <= 0
      ? texts
      : [...texts.slice(0, first), `    … ${left} more in the report`, ...texts.slice(-last)];
  return ['  path decisions', ...shown];
}

/** Thousandths of a millisecond or a bit per second are noise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

/** Whether a `--json` can be written, to be asked before a long run. @throws CliError when not */
export function checkJsonFile(file: string): void {
  if (file === '-') return;
  try {
    accessSync(existsSync(file) ? file : path.dirname(file), constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`--json ${file} cannot be written (${reason})`, 2);
  }
}

/** Writes JSON to a file, or to standard output for `-`. */
export function writeJson(file: string, value: unknown): void {
  const text = `${JSON.stringify(value, rounded, 2)}\n`;
  if (file === '-') process.stdout.write(text);
  else writeFileSync(file, text);
}
