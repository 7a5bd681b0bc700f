import type { Command } from 'commander';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorText } from '../../core';
import { summarize } from '../../qoe';
import {
  explainDecisions,
  p1203Input,
  pufferCsv,
  renderReport,
  type ReportRun,
} from '../../report';
import { isLogName, makeFolder, OWNER_ONLY, readLog } from '../../transport';
import {
  UserError,
  decisionLines,
  print,
  recordText,
  summaryLines,
  warn,
  writeJson,
  writeWhole,
} from '../../runner/host';
import { builtAssets, runFolders } from '../../runner/run';
import { reportRuns } from '../lab/results-command';

/** Session logs in a folder and the folders below it, by name. */
function findLogs(target: string): string[] {
  if (!existsSync(target)) throw new UserError(`${target} does not exist`, 2);
  const found = statSync(target);
  if (found.isFile()) return [target];
  if (!found.isDirectory()) throw new UserError(`${target} is neither a file nor a folder`, 2);
  return (
    readdirSync(target, { recursive: true, encoding: 'utf8' })
      .filter(isLogName)
      .sort()
      .map((name) => path.join(target, name))
      // Reading a named pipe would never end.
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
  );
}

/** A run's name is its folder below the report's, or its file if several share one. */
function runName(file: string, base: string, files: readonly string[]): string {
  const folder = path.dirname(file);
  const alone = files.filter((other) => path.dirname(other) === folder).length === 1;
  const name = path.relative(base, alone ? folder : file);
  return name === '' ? path.basename(path.resolve(folder)) : name;
}

/** True if the folder is a run of the lab, or holds several and no other session. */
export function holdsLabRuns(target: string): boolean {
  const folders = runFolders(target).map((folder) => path.join(path.resolve(folder), '/'));
  return (
    folders.length > 0 &&
    findLogs(target).every((log) => folders.some((run) => path.resolve(log).startsWith(run)))
  );
}

/** The folder of the runs: the names of the runs are relative to it. */
const folderOf = (target: string): string =>
  statSync(target).isFile() ? path.dirname(target) : target;

/**
 * Reads the runs of a folder, or of one log. A file of a folder that is no session log is reported and passed over.
 * @throws UserError if there is no run
 */
export function readRuns(target: string): ReportRun[] {
  const files = findLogs(target);
  if (files.length === 0)
    throw new UserError(`${target}: no session log (*.jsonl, *.jsonl.gz) in it`, 2);
  const refused: string[] = [];
  const runs = files.flatMap((file): ReportRun[] => {
    try {
      return [readRun(file, target, files)];
    } catch (error) {
      refused.push(errorText(error));
      return [];
    }
  });
  if (runs.length === 0) throw new UserError(refused.join('\n'), 2);
  for (const reason of refused) warn(`passed over: ${reason}`);
  return runs;
}

/** @throws UserError, LogError */
function readRun(file: string, target: string, files: readonly string[]): ReportRun {
  const log = readLog(file);
  if (log.events.length === 0) {
    throw new UserError(`${file} is no session log: it has no event of a session`, 2);
  }
  for (const error of log.errors.slice(0, 10)) {
    warn(error.message);
  }
  if (log.errors.length > 10) {
    warn(`${file}: ${log.errors.length - 10} more bad lines`);
  }
  if (log.tornLine !== undefined) {
    warn(`${file}:${log.tornLine}: cut off, the writer was ended here`);
  }
  return {
    name: runName(file, folderOf(target), files),
    events: log.events,
    summary: summarize(log.events, { logFile: file }),
  };
}

function writeRuns(runs: readonly ReportRun[], folder: string): string {
  const html = renderReport(runs, builtAssets());
  const summaries = runs.map(({ name, summary }) => ({ name, ...summary }));
  const file = path.join(folder, 'report.html');
  try {
    makeFolder(folder);
    writeWhole(path.join(folder, 'summary.json'), recordText({ runs: summaries }), OWNER_ONLY);
    writeWhole(file, html, OWNER_ONLY);
  } catch (error) {
    const reason = errorText(error);
    throw new UserError(`${folder} cannot be written (${reason}): choose another with --out`);
  }
  return file;
}

/** Writes summary.json and report.html beside the logs of a folder. Returns the page's path. */
export function writeReport(folder: string): string {
  return writeRuns(readRuns(folder), folder);
}

/** Writes one file a session beside the report, with the name of the run. */
function exportRuns(
  runs: readonly ReportRun[],
  folder: string,
  suffix: string,
  text: (run: ReportRun) => string,
): void {
  const taken = new Set<string>();
  for (const run of runs) {
    const name = run.name.replace(/[^\w.@-]+/g, '_');
    let unique = name;
    for (let count = 2; taken.has(unique); count += 1) unique = `${name}-${count}`;
    taken.add(unique);
    const file = path.join(folder, `${unique}.${suffix}`);
    writeWhole(file, text(run), OWNER_ONLY);
    warn(`wrote ${file}`);
  }
}

interface ReportOptions {
  out?: string;
  json?: boolean;
  csv?: boolean;
  p1203?: boolean;
}

/** `multipath-dash report DIR`. */
export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('turn session logs into a summary (JSON) and one self-contained HTML page')
    .argument('<dir>', 'a run, a folder of runs, one log file, or runs of the lab')
    .option('--out <dir>', 'where to write (default: beside the logs)')
    .option('--json', 'print the summaries as JSON instead of text')
    .option('--csv', "also write each session's transport samples as CSV (Puffer's names, path_id)")
    .option('--p1203', 'also write the input of ITU-T P.1203 for each session as JSON')
    .action(async (target: string, options: ReportOptions) => {
      const exports = options.csv === true || options.p1203 === true;
      // Runs of the lab are compared as a whole. Their sessions appear one by one only in an export.
      const isLabRun = holdsLabRuns(target);
      if (isLabRun && !exports) {
        await reportRuns([target], options);
        return;
      }
      const runs = readRuns(target);
      const folder = options.out ?? folderOf(target);
      if (isLabRun) await reportRuns([target], options);
      const file = isLabRun ? undefined : writeRuns(runs, folder);
      if (options.csv === true) {
        exportRuns(runs, folder, 'transport.csv', ({ events, name }) => pufferCsv(events, name));
      }
      if (options.p1203 === true) {
        exportRuns(runs, folder, 'p1203.json', ({ events, summary }) => {
          return `${JSON.stringify(p1203Input(events, summary), null, 2)}\n`;
        });
      }
      if (file === undefined) return;
      if (options.json === true) {
        writeJson('-', { runs: runs.map(({ name, summary }) => ({ name, ...summary })) });
        return;
      }
      for (const { name, summary, events } of runs) {
        const lines = [...summaryLines(summary), ...decisionLines(explainDecisions(events))];
        print(process.stdout, `${name}\n${lines.join('\n')}\n`);
      }
      print(process.stdout, `report: ${file}\n`);
    });
}
