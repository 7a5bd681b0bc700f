import type { Command } from 'commander';
import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { BrainLogError, replayLog, type ReplayDifference, type ReplayResult } from '../../journal';
import { logEnding, logFormats, readLog } from '../../transport';
import { UserError, print, writeJson } from '../../runner/host';

/** The log of a run: the file itself, or the session's log in the run's folder. */
function logOf(target: string): string {
  if (!existsSync(target)) throw new UserError(`${target} does not exist`, 2);
  if (!statSync(target).isDirectory()) return target;
  const names = logFormats.map((format) => `session${logEnding(format)}`);
  const file = names.map((name) => path.join(target, name)).find((one) => existsSync(one));
  if (file === undefined) throw new UserError(`${target}: no ${names.join(' or ')} in it`, 2);
  return file;
}

/** The value at a dotted field name. */
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

/** Replays one log. @throws UserError if it cannot be read or contains no decisions */
export function replayFile(target: string): ReplayResult & { logFile: string } {
  const logFile = logOf(target);
  const log = readLog(logFile);
  const [broken] = log.errors;
  // A log with a gap cannot be replayed: the missing lines may have decided everything after it.
  if (broken) throw new UserError(broken.message, 2);
  try {
    return { ...replayLog(log.events), logFile };
  } catch (error) {
    if (error instanceof BrainLogError) throw new UserError(`${logFile}: ${error.message}`, 2);
    throw error;
  }
}

/** `multipath-dash replay LOG`. */
export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .description('run the decisions of a session again from its log, and compare them bit by bit')
    .argument('<log>', 'a session log (*.jsonl, *.jsonl.gz), or the folder of a run')
    .option('--json [file]', 'write the result as JSON (default: standard output)')
    .action((target: string, options: { json?: string | true }) => {
      const result = replayFile(target);
      const isLog =
        typeof options.json === 'string' &&
        existsSync(options.json) &&
        realpathSync(options.json) === realpathSync(result.logFile);
      if (isLog) throw new UserError(`--json ${result.logFile}: this is the log itself`, 2);
      if (options.json !== undefined) {
        writeJson(options.json === true ? '-' : options.json, {
          logFile: result.logFile,
          decisions: result.decisions,
          same: result.difference === undefined,
          ...(result.difference ? { difference: result.difference } : {}),
        });
      }
      if (result.difference) {
        throw new UserError(differenceLines(result.difference).join('\n'));
      }
      print(process.stderr, `${result.decisions} decisions replayed, all the same\n`);
    });
}
