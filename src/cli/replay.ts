import type { Command } from 'commander';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { BrainLogError, replayLog, type ReplayDifference, type ReplayResult } from '../brain';
import { readLog } from '../transport';
import { CliError } from './cli-error';
import { writeJson } from './results';

/** The log of a run: the file itself, or `session.jsonl` in the run's folder. */
function logOf(target: string): string {
  if (!existsSync(target)) throw new CliError(`${target} does not exist`, 2);
  const file = statSync(target).isDirectory() ? path.join(target, 'session.jsonl') : target;
  if (!existsSync(file)) throw new CliError(`${target}: no session.jsonl in it`, 2);
  return file;
}

/** The value a dotted field leads to. */
function valueAt(value: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined,
      value,
    );
}

/** The first difference, for a person. */
export function differenceLines(difference: ReplayDifference): string[] {
  const { index, monotonicMs, trigger, field, recorded, replayed } = difference;
  const head = `decision ${index + 1} (${trigger}, at ${monotonicMs} ms) differs`;
  if (recorded === undefined) {
    return [
      `${head}: the log holds only its digest; now it is`,
      `  replayed  ${JSON.stringify(replayed)}`,
    ];
  }
  return [
    `${head} in ${field}`,
    `  recorded  ${JSON.stringify(valueAt(recorded, field))}`,
    `  replayed  ${JSON.stringify(valueAt(replayed, field))}`,
  ];
}

/** Replays one log. @throws CliError where it cannot be read or holds no decisions */
export function replayFile(target: string): ReplayResult & { logFile: string } {
  const logFile = logOf(target);
  const log = readLog(logFile);
  const [broken] = log.errors;
  // A log with a hole cannot be replayed: what is missing may have decided everything after it.
  if (broken) throw new CliError(broken.message, 2);
  try {
    return { ...replayLog(log.events), logFile };
  } catch (error) {
    if (error instanceof BrainLogError) throw new CliError(`${logFile}: ${error.message}`, 2);
    throw error;
  }
}

/** `multipath-dash replay LOG`. */
export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .description('run the decisions of a session again from its log, and compare them bit by bit')
    .argument('<log>', 'a session log (*.jsonl), or the folder of a run')
    .option('--json [file]', 'write the result as JSON (default: standard output)')
    .action((target: string, options: { json?: string | true }) => {
      const result = replayFile(target);
      if (options.json !== undefined) {
        writeJson(options.json === true ? '-' : options.json, {
          logFile: result.logFile,
          decisions: result.decisions,
          same: result.difference === undefined,
          ...(result.difference ? { difference: result.difference } : {}),
        });
      }
      if (result.difference) {
        throw new CliError(differenceLines(result.difference).join('\n'));
      }
      process.stderr.write(`${result.decisions} decisions replayed, all the same\n`);
    });
}
