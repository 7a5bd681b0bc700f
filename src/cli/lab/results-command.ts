import type { Command } from 'commander';
import { resultsTable, type Results } from '../../report';
import { writeJson, print, unlessInterrupted, UserError, warn } from '../../runner/host';
import { runsIn, writeResults } from '../../runner/run';

export interface LabReportOptions {
  out?: string;
  json?: boolean;
  reference?: string;
}

/** Makes the report of run folders, or of folders of runs, and prints it. With `--json` the page's location goes to standard error. */
export async function reportRuns(
  folders: readonly string[],
  options: LabReportOptions,
  /** Replaces the reading and writing in tests. */
  write: (...args: Parameters<typeof writeResults>) => Promise<Results | undefined> = writeResults,
): Promise<void> {
  if (folders.length > 1 && options.out === undefined) {
    throw new UserError(
      'several folders have one report: name a folder for it with --out, so that none of theirs is replaced',
      2,
    );
  }
  const outDir = options.out ?? folders[0] ?? '.';
  const shown = process.stderr.isTTY;
  const results = await unlessInterrupted((signal) =>
    write(runsIn(folders), outDir, {
      signal,
      onWarning: warn,
      onProgress: (done, total) => {
        const end = done === total ? '\n' : '';
        // eslint-disable-next-line no-restricted-syntax -- the carriage return rewrites the line
        if (shown) process.stderr.write(`\rread ${done} of ${total} trials${end}`);
      },
      ...(options.reference === undefined ? {} : { reference: options.reference }),
    }),
  );
  if (!results) return;
  if (options.json === true) writeJson('-', results);
  else print(process.stdout, `${resultsTable(results)}\n`);
  const line = `report: ${outDir}/report.html, results.json, results.csv, comparison.csv\n`;
  print(options.json === true ? process.stderr : process.stdout, line);
}

/** `multipath-dash lab report DIR...`. */
export function addLabReport(lab: Command): void {
  lab
    .command('report')
    .description('compare the players of finished runs: one page, CSV and JSON')
    .argument(
      '<dir...>',
      'runs, or folders of runs, that `lab run` has written; runs of one scenario are pooled',
    )
    .option('--out <dir>', 'where to write (default: the folder itself; required for several)')
    .option('--reference <player>', "compare with this player (default: the scenario's first)")
    .option('--json', 'print the results as JSON instead of a table')
    .action((folders: string[], options: LabReportOptions) => reportRuns(folders, options));
}
