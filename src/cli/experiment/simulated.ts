import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import {
  type Experiment,
  type ExperimentJob,
  type ExperimentOptions,
  experimentText,
  renderExperiment,
} from '../../experiments';
import { UserError, defaultRunDir, checkJsonFile, forTerminal } from '../../runner/host';
import { shippedScenarios } from '../../runner/scenarios';
import { builtAssets } from '../../runner/run';
import {
  checkResumeAlone,
  runJobFolder,
  type FinishedJobs,
  type JobsOptions,
  outcomesOf,
  runFacts,
  type SimulationRequest,
  type Workers,
} from '../../runner/jobs';

export interface SimulatedOptions extends JobsOptions {
  quick?: boolean;
  seed?: number;
  trials?: number;
  json?: string;
}

/** The command that resumes a run. */
type KeptOptions = Omit<ExperimentOptions, 'read'>;

function readShipped(file: string): string {
  const root = shippedScenarios();
  const whole = path.resolve(root, file);
  if (!whole.startsWith(`${root}${path.sep}`)) throw new Error(`${file} is outside of ${root}`);
  return readFileSync(whole, 'utf8');
}

function keptOptions({ quick, seed, trials }: SimulatedOptions): KeptOptions {
  return { quick: quick === true, seed: seed ?? 1, ...(trials === undefined ? {} : { trials }) };
}

/** Writes `<name>.json`, `.md` and `.html`, and the text on standard output. */
async function writeOutcome(
  experiment: Experiment,
  folder: string,
  finished: FinishedJobs<KeptOptions, ExperimentJob>,
  json: string | undefined,
): Promise<void> {
  const { options } = finished.record;
  const results = await outcomesOf(folder, finished.jobs);
  if (results.length === 0)
    throw new UserError('no job has an outcome: there is nothing to report');
  const report = experiment.report(results, { ...options, read: readShipped });
  const run = runFacts(finished, results.length, { quick: options.quick, seed: options.seed });
  const base = path.join(folder, experiment.name);
  // Unrounded: a thousandth here may be a loss ratio.
  const whole = `${JSON.stringify({ ...report, run }, undefined, 2)}\n`;
  const text = experimentText(report, run);
  writeFileSync(`${base}.json`, whole);
  writeFileSync(`${base}.md`, text);
  writeFileSync(`${base}.html`, renderExperiment(report, run, builtAssets()));
  if (json !== undefined && json !== '-') writeFileSync(json, whole);
  process.stdout.write(json === '-' ? whole : `${forTerminal(text)}\n`);
  process.stderr.write(`[experiment ${experiment.name}] the same as a page: ${base}.html\n`);
}

/** `experiment NAME`: simulates all jobs, then prints the figures beside the paper's. */
export async function runSimulated(
  experiment: Experiment,
  options: SimulatedOptions,
  version: string,
  /** In place of simulating threads. */
  workers?: (lanes: number) => Workers,
  command = `experiment ${experiment.name}${experiment.name === 'aqm' ? ' --simulated' : ''}`,
): Promise<void> {
  checkResumeAlone(options, ['quick', 'seed', 'trials', 'out']);
  if (options.json !== undefined) checkJsonFile(options.json);
  builtAssets();
  const folder = path.resolve(options.resume ?? options.out ?? defaultRunDir(new Date()));
  const finished = await runJobFolder<KeptOptions, ExperimentJob>({
    name: experiment.name,
    command,
    folder,
    isResumed: options.resume !== undefined,
    options: () => keptOptions(options),
    plan: (kept) => experiment.plan({ ...kept, read: readShipped }),
    request: (job): SimulationRequest => ({ experiment: experiment.name, job }),
    lanes: options.jobs ?? availableParallelism(),
    version,
    ...(workers === undefined ? {} : { workers }),
  });
  if (finished !== undefined) await writeOutcome(experiment, folder, finished, options.json);
}
