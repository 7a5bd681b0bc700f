import { availableParallelism } from 'node:os';
import path from 'node:path';
import {
  sweepColumns,
  sweepSummary,
  type SessionMetrics,
  type SweepJob,
  type SweepRow,
  experimentText,
  type ExperimentReport,
} from '../../experiments';
import { UserError } from '../host/user-error';
import { defaultRunDir, resumeOption } from '../host/run-dir';
import { checkJsonFile, writeJsonText } from '../host/output';
import { print } from '../host/terminal';
import { forTerminal } from '../host/terminal-markdown';
import { keepingRun, writeRunFile } from '../run/resume';
import {
  checkResumeAlone,
  runJobFolder,
  type FinishedJobs,
  type JobsOptions,
} from '../jobs/job-folder';
import { outcomesOf, runFacts } from '../jobs/outcomes';
import type { Workers } from '../jobs/worker-pool';
import { writeParquet } from './parquet';
import {
  axesOf,
  checkContent,
  planJobs,
  readSweep,
  type Sweep,
  type SweepWishes,
} from './read-sweep';

export interface SweepOptions extends JobsOptions, SweepWishes {
  json?: string;
}

/** Options that a resumed sweep takes from its folder. */
const BEGUN_WITH = [
  ...['set', 'players', 'schedulers', 'congestion', 'sample', 'trials', 'seed', 'seconds'],
  ...['quick', 'shard', 'out'],
];

/** Files of shards share a folder: each name contains its shard. */
const baseName = ({ shard }: Sweep): string =>
  shard === undefined ? 'sweep' : `sweep-${shard.index}-of-${shard.of}`;

function reportOf(sweep: Sweep, rows: readonly SweepRow[]): ExperimentReport {
  const { title, files, set, sample, trials, schedulers, congestion } = sweep;
  const grid = sample === undefined ? 'every combination' : `${sample} points at random`;
  return {
    name: baseName(sweep),
    title,
    paper: '',
    simulated: true,
    method: [
      `Scenarios: ${files.map((file) => path.basename(file)).join(', ')}.`,
      ...(set.length === 0
        ? []
        : [`Parameters, ${grid}: ${set.map((one) => `${one.path}=${one.text}`).join('; ')}.`]),
      `${trials} ${trials === 1 ? 'seed' : 'seeds'} of each; scheduler ${schedulers.join(', ')}; congestion control ${congestion.length === 0 ? "the scenario's" : congestion.join(', ')}.`,
    ],
    tables: [sweepSummary(rows)],
    figures: [],
    claims: [],
  };
}

/** Writes `sweep.parquet` with a row a session, and a summary of the players beside it. */
async function reportResults(
  folder: string,
  finished: FinishedJobs<Sweep, SweepJob>,
  json: string | undefined,
): Promise<void> {
  const { record } = finished;
  const results = await outcomesOf(folder, finished.jobs);
  if (results.length === 0)
    throw new UserError('no session has an outcome: there is nothing to write');
  const rows = results.map(({ job, outcome }) => ({ job, metrics: outcome as SessionMetrics }));
  const run = runFacts(finished, results.length, {
    quick: record.options.quick,
    seed: record.options.seed,
  });
  const base = path.join(folder, baseName(record.options));
  const resumeWith = resumeOption(folder);
  const table = `${base}.parquet`;
  keepingRun(table, resumeWith, () =>
    writeParquet(table, sweepColumns(rows, axesOf(record.options)), {
      simulated: 'true',
      generator: run.generator,
      sweep: JSON.stringify(record.options),
      units:
        'rates in bit/s, times in ms, sizes in bytes, shares of 1; metrics as in docs/results.md',
    }),
  );
  const report = reportOf(record.options, rows);
  const whole = `${JSON.stringify({ ...report, run }, undefined, 2)}\n`;
  const text = experimentText(report, run);
  writeRunFile(`${base}.json`, whole, resumeWith);
  writeRunFile(`${base}.md`, text, resumeWith);
  if (json !== undefined) writeJsonText(json, whole);
  if (json !== '-') print(process.stdout, `${forTerminal(text)}\n`);
  print(process.stderr, `[experiment sweep] a row a session: ${table}\n`);
}

/** `experiment sweep [FILE...]`. */
export async function runSweep(
  targets: readonly string[],
  options: SweepOptions,
  version: string,
  /** Replaces the workers in tests. */
  workers?: (lanes: number) => Workers,
): Promise<void> {
  checkResumeAlone(options, BEGUN_WITH);
  const isResumed = options.resume !== undefined;
  if (isResumed && targets.length > 0) {
    throw new UserError('--resume takes everything from the earlier run: leave the files out', 2);
  }
  if (options.json !== undefined) checkJsonFile(options.json);
  const folder = path.resolve(options.resume ?? options.out ?? defaultRunDir(new Date()));
  const finished = await runJobFolder<Sweep, SweepJob>({
    name: 'sweep',
    command: 'experiment sweep',
    folder,
    isResumed,
    options: () => readSweep(targets, options),
    plan: (sweep) => {
      if (isResumed) checkContent(sweep);
      return planJobs(sweep);
    },
    request: (job) => ({ experiment: 'sweep', job }),
    lanes: options.jobs ?? availableParallelism(),
    version,
    ...(workers === undefined ? {} : { workers }),
  });
  if (finished === undefined) return;
  if (finished.jobs.length === 0) {
    // More parts than sessions: a script that runs all parts must not fail for it.
    print(process.stderr, `[experiment sweep] no sessions in this part: no table written\n`);
    return;
  }
  await reportResults(folder, finished, options.json);
}
