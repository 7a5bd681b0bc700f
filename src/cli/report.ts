import type { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { summarize } from '../qoe';
import { renderReport, type ReportRun } from '../report';
import { readLog } from '../transport';
import { CliError } from './cli-error';
import { packageRoot } from './package-root';
import { summaryLines, writeJson } from './results';

/** Session logs in a folder and the folders below it, by name. */
function findLogs(target: string): string[] {
  if (!existsSync(target)) throw new CliError(`${target} does not exist`);
  if (statSync(target).isFile()) return [target];
  return readdirSync(target, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => path.join(target, name));
}

/** A run is named by its folder below the report's, or by its file where several share one. */
function runName(file: string, target: string, files: readonly string[]): string {
  const folder = path.dirname(file);
  const alone = files.filter((other) => path.dirname(other) === folder).length === 1;
  const name = alone ? path.relative(target, folder) : path.relative(target, file);
  return name === '' ? path.basename(folder) : name;
}

function readRuns(target: string): ReportRun[] {
  const files = findLogs(target);
  if (files.length === 0) throw new CliError(`${target}: no session log (*.jsonl) in it`);
  return files.map((file) => {
    const log = readLog(file);
    for (const error of log.errors.slice(0, 10)) {
      process.stderr.write(`multipath-dash: ${error.message}\n`);
    }
    if (log.errors.length > 10) {
      process.stderr.write(`multipath-dash: ${file}: ${log.errors.length - 10} more bad lines\n`);
    }
    if (log.tornLine !== undefined) {
      process.stderr.write(
        `multipath-dash: ${file}:${log.tornLine}: cut off, the writer was ended here\n`,
      );
    }
    return {
      name: runName(file, target, files),
      events: log.events,
      summary: summarize(log.events, { logFile: file }),
    };
  });
}

function writeRuns(runs: readonly ReportRun[], folder: string): string {
  const asset = (name: string): string =>
    readFileSync(path.join(packageRoot(), 'dist/report', name), 'utf8');
  const html = renderReport(runs, {
    clientJs: asset('report-client.js'),
    clientCss: asset('report-client.css'),
    nonce: randomBytes(18).toString('base64'),
  });
  const summaries = runs.map(({ name, summary }) => ({ name, ...summary }));
  const file = path.join(folder, 'report.html');
  try {
    mkdirSync(folder, { recursive: true });
    writeJson(path.join(folder, 'summary.json'), { runs: summaries });
    writeFileSync(file, html);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`${folder} cannot be written (${reason}): choose another with --out`);
  }
  return file;
}

/** Writes summary.json and report.html beside the logs of a folder; returns the page's path. */
export function writeReport(folder: string): string {
  return writeRuns(readRuns(folder), folder);
}

/** `multipath-dash report DIR`. */
export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('turn session logs into a summary (JSON) and one self-contained HTML page')
    .argument('<dir>', 'a run, a folder of runs, or one log file')
    .option('--out <dir>', 'where to write (default: beside the logs)')
    .option('--json', 'print the summaries as JSON instead of text')
    .action((target: string, options: { out?: string; json?: boolean }) => {
      const runs = readRuns(target);
      const beside =
        existsSync(target) && statSync(target).isFile() ? path.dirname(target) : target;
      const file = writeRuns(runs, options.out ?? beside);
      if (options.json === true) {
        writeJson('-', { runs: runs.map(({ name, summary }) => ({ name, ...summary })) });
        return;
      }
      for (const { name, summary } of runs) {
        process.stdout.write(`${name}\n${summaryLines(summary).join('\n')}\n`);
      }
      process.stdout.write(`report: ${file}\n`);
    });
}
