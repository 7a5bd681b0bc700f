import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Experiment, ExperimentJob } from '../../experiments';
import { UserError, defaultRunDir, checkJsonFile } from '../../runner/host';
import {
  checkResumeAlone,
  runJobFolder,
  type FinishedJobs,
  type JobsOptions,
  outcomesOf,
  readKept,
  RECORD_FILE,
  runFacts,
  type SimulationRequest,
  type Workers,
} from '../../runner/jobs';
import { builtAssets } from '../../runner/run';
import { pageOf, resultsFile, writePage } from './kept-pages';
import { readShipped, type ExperimentRunOptions } from './run-options';
import { writeReport } from './write-report';

export interface SimulatedOptions extends JobsOptions {
  quick?: boolean;
  seed?: number;
  trials?: number;
  json?: string;
  /** Folder of the pages that show kept results; `true`: the repository's. */
  kept?: string | true;
}

/** Folder of the pages, in a checkout. */
const PAGES = 'docs/experiments';

/** Options of a new run: those given, else those of the kept results that it goes on with. */
function keptOptions(
  { quick, seed, trials }: SimulatedOptions,
  file: string | undefined,
  experiment: string,
): ExperimentRunOptions {
  const earlier = file === undefined ? undefined : readKept<ExperimentRunOptions>(file, experiment);
  const kept = earlier?.header.options;
  const count = trials ?? kept?.trials;
  return {
    quick: quick === true,
    seed: seed ?? kept?.seed ?? 1,
    ...(count === undefined ? {} : { trials: count }),
  };
}

/** @throws UserError for options that do not fit kept results, which are of the whole experiment */
function checkKept({ quick, resume }: SimulatedOptions): void {
  if (quick === true || resume !== undefined) {
    throw new UserError('--kept goes on with the whole experiment: leave --quick, --resume out', 2);
  }
}

/** @throws UserError if no job has an outcome */
async function writeOutcome(
  experiment: Experiment,
  folder: string,
  finished: FinishedJobs<ExperimentRunOptions, ExperimentJob>,
  json: string | undefined,
): Promise<void> {
  const { options } = finished.record;
  const results = await outcomesOf(folder, finished.jobs);
  if (results.length === 0)
    throw new UserError('no job has an outcome: there is nothing to report');
  const report = experiment.report(results, { ...options, read: readShipped });
  const run = runFacts(finished, results.length, { quick: options.quick, seed: options.seed });
  writeReport(report, run, folder, json);
}

/** `experiment NAME`: simulates all jobs, then prints the figures beside the paper's. */
export async function runSimulated(
  experiment: Experiment,
  options: SimulatedOptions,
  version: string,
  /** Runs the jobs instead of the simulating threads. */
  workers?: (lanes: number) => Workers,
  command = `experiment ${experiment.name}`,
): Promise<void> {
  checkResumeAlone(options, ['quick', 'seed', 'trials', 'out']);
  if (options.json !== undefined) checkJsonFile(options.json);
  builtAssets();
  const kept = options.kept === true ? PAGES : options.kept;
  if (kept !== undefined) {
    checkKept(options);
    pageOf(kept, experiment.name);
  }
  const file = kept === undefined ? undefined : resultsFile(kept, experiment.name);
  const folder = path.resolve(options.resume ?? options.out ?? defaultRunDir(new Date()));
  const isBegun = kept !== undefined && existsSync(path.join(folder, RECORD_FILE));
  if (isBegun && (options.seed !== undefined || options.trials !== undefined)) {
    throw new UserError(
      `${folder} holds a run already, with options of its own: leave --seed and --trials out, or choose another folder with --out`,
      2,
    );
  }
  const finished = await runJobFolder<ExperimentRunOptions, ExperimentJob>({
    name: experiment.name,
    command,
    folder,
    isResumed: options.resume !== undefined || isBegun,
    options: () => keptOptions(options, file, experiment.name),
    plan: (kept) => experiment.plan({ ...kept, read: readShipped }),
    request: (job): SimulationRequest => ({ experiment: experiment.name, job }),
    lanes: options.jobs ?? availableParallelism(),
    version,
    ...(file === undefined ? {} : { kept: file }),
    ...(workers === undefined ? {} : { workers }),
  });
  if (finished === undefined) return;
  await writeOutcome(experiment, folder, finished, options.json);
  if (kept !== undefined) writePage(experiment, kept, readShipped);
}
