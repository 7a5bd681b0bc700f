import { InvalidArgumentError, type Command } from 'commander';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aqmReport, aqmText, type Results } from '../../report';
import { CliError } from '../cli-error';
import { shippedScenarios } from '../lab/list-scenarios';
import { run } from '../lab/run';
import { defaultRunDir } from '../options';
import { checkJsonFile, writeJson } from '../results';

interface AqmOptions {
  quick?: boolean;
  trials?: number;
  out?: string;
  json?: string;
  resume?: string;
}

/** Of `--quick`: about a quarter of an hour in all. */
const QUICK_TRIALS = 3;
const QUICK_SECONDS = 40;

function readTrials(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1000) return value;
  throw new InvalidArgumentError('expected a whole number from 1 to 1000');
}

/** `experiment aqm`: all six scenarios in one folder, then section IV's figures beside what the paper says. */
async function aqm(options: AqmOptions, version: string): Promise<void> {
  if (options.json === '-') throw new CliError('--json: name a file', 2);
  if (options.json !== undefined) checkJsonFile(options.json);
  const base = path.resolve(options.resume ?? options.out ?? defaultRunDir(new Date()));
  const trials = options.trials ?? (options.quick === true ? QUICK_TRIALS : undefined);
  await run(
    [path.join(shippedScenarios(), 'aqm')],
    {
      ...(options.resume === undefined ? { out: base } : { resume: base }),
      ...(trials === undefined ? {} : { trials }),
      ...(options.quick === true ? { seconds: QUICK_SECONDS } : {}),
    },
    version,
  );
  const resultsFile = path.join(base, 'results.json');
  if (!existsSync(resultsFile)) return;
  const report = aqmReport(JSON.parse(readFileSync(resultsFile, 'utf8')) as Results);
  const text = aqmText(report);
  writeFileSync(path.join(base, 'aqm.md'), text);
  writeJson(path.join(base, 'aqm.json'), report);
  if (options.json !== undefined) writeJson(options.json, report);
  process.stdout.write(`${text}\n`);
}

/** `multipath-dash experiment ...`. @param version of this program, for the run's record */
export function addExperimentCommand(program: Command, version: string): void {
  const experiment = program
    .command('experiment')
    .description('repeat the experiments of papers and compare what comes out');
  experiment
    .command('aqm')
    .description(
      'PIE and FQ-PIE at 5, 10 and 15 ms under DASH over MPTCP (25 trials each: about 10 hours)',
    )
    .option('--quick', `${String(QUICK_TRIALS)} trials of ${String(QUICK_SECONDS)} s each`)
    .option('--trials <n>', 'trials of each of the six', readTrials)
    .option('--out <dir>', 'folder of the run (default: runs/<time>)')
    .option('--json <file>', 'write the figures as JSON here too')
    .option('--resume <dir>', 'go on with an interrupted run, with the same --quick and --trials')
    .action((options: AqmOptions) => aqm(options, version));
}
