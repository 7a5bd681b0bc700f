import path from 'node:path';
import { resumeOption } from '../host/run-dir';
import { print } from '../host/terminal';
import { UserError } from '../host/user-error';
import { INTERRUPTED_STATUS, interruptible } from '../host/interrupt';
import { makeRunFolder } from '../run/resume';
import { lockFolder } from '../run/resume-lock';
import { cutJobLog, JobLog, readJobLog, type JobLine } from './job-log';
import { KeptRun } from './kept-file';
import { programCounts, programsText, type ProgramCounts } from './program-counts';
import {
  beginRecord,
  checkSameJobs,
  JOB_LOG_FILE,
  readRecord,
  RECORD_FILE,
  type JobRecord,
} from './job-record';
import { runJobs, type KeyedJob } from './run-jobs';
import { startWorkers, type Workers } from './worker-pool';

/** Options that all commands with simulated jobs share. */
export interface JobsOptions {
  out?: string;
  resume?: string;
  /** Threads. */
  jobs?: number;
}

export interface JobFolder<Options, Job extends KeyedJob> {
  /** Name of the experiment, as in the record. */
  name: string;
  /** Command after `multipath-dash`, without options: `experiment sticky`. */
  command: string;
  folder: string;
  isResumed: boolean;
  /** Options of a new run. Those of a resumed one are in its record. */
  options: () => Options;
  plan: (options: Options) => readonly Job[];
  request: (job: Job) => unknown;
  lanes: number;
  version: string;
  /** File of kept results: the run reads its missing results from it and writes all of its results to it. */
  kept?: string;
  /** Replaces the workers in tests. */
  workers?: (lanes: number) => Workers;
}

/** A run with all its jobs finished. */
export interface FinishedJobs<Options, Job extends KeyedJob> {
  record: JobRecord<Options>;
  jobs: readonly Job[];
  failed: number;
  programs: ProgramCounts;
}

/**
 * Returns the folder of a run and creates it if it is missing. @throws UserError if options contradict each
 * other
 */
export function checkResumeAlone(options: object & JobsOptions, given: readonly string[]): void {
  if (options.resume === undefined) return;
  const refused = given.filter((name) => (options as Record<string, unknown>)[name] !== undefined);
  if (refused.length === 0) return;
  throw new UserError(
    `--resume takes everything from the earlier run: leave ${refused.map((name) => `--${name}`).join(', ')} out`,
    2,
  );
}

/**
 * Runs the unfinished jobs of a folder on all lanes. The folder keeps `experiment.json` and `jobs.jsonl`.
 * @returns undefined after Ctrl-C, which prints the command that resumes
 * @throws UserError
 */
export async function runJobFolder<Options, Job extends KeyedJob>(
  run: JobFolder<Options, Job>,
): Promise<FinishedJobs<Options, Job> | undefined> {
  const { folder, name, isResumed } = run;
  const tag = `[${run.command}]`;
  const earlier = isResumed ? readRecord<Options>(folder, name) : undefined;
  const options = earlier?.options ?? run.options();
  const jobs = earlier === undefined ? run.plan(options) : planAgain(run, options);
  const workers = (run.workers ?? startWorkers)(Math.max(1, Math.min(run.lanes, jobs.length)));
  makeRunFolder(folder);
  const release = lockFolder(folder);
  try {
    if (earlier !== undefined) checkSameJobs(folder, earlier, jobs);
    const record = earlier ?? beginRecord(folder, name, options, jobs, run.version);
    const file = path.join(folder, JOB_LOG_FILE);
    const kept = run.kept === undefined ? undefined : new KeptRun(run.kept, record, jobs);
    const begunBy = String(record.machine['program']);
    const finished = await finishedJobs(file, tag, begunBy, (line) => kept?.add(line));
    const jobLog = new JobLog(file);
    for (const line of kept?.lines ?? []) {
      if (finished.has(line.key)) continue;
      jobLog.add(line);
      finished.set(line.key, begunBy);
    }
    const open = jobs.filter(({ key }) => !finished.has(key));
    if (open.length > 0) warnOfOthers(tag, programCounts(finished.values()), run.version);
    const failed = await interruptible((signal) =>
      runJobs({
        tag,
        jobs: open,
        doneBefore: jobs.length - open.length,
        lanes: run.lanes,
        workers,
        request: run.request,
        keep: (line) => {
          jobLog.add({ ...line, program: run.version });
          if ('outcome' in line) finished.set(line.key, run.version);
          kept?.add(line);
        },
        signal,
      }).then((count) => (signal.aborted ? undefined : count)),
    ).finally(() => {
      jobLog.close();
      if (kept === undefined) return;
      print(process.stderr, `${tag} ${kept.write()} results kept in ${run.kept ?? ''}\n`);
    });
    if (failed === undefined) {
      process.exitCode = INTERRUPTED_STATUS;
      print(
        process.stderr,
        `${tag} interrupted; finished jobs are kept. Go on: multipath-dash ${run.command} ${run.kept === undefined ? resumeOption(folder) : '--kept'}\n`,
      );
      return undefined;
    }
    if (failed > 0) process.exitCode = 1;
    return { record, jobs, failed, programs: programCounts(finished.values()) };
  } finally {
    release();
  }
}

/** The jobs of an earlier run. @throws UserError, also where its options are damaged */
function planAgain<Options, Job extends KeyedJob>(
  { plan, folder }: Pick<JobFolder<Options, Job>, 'plan' | 'folder'>,
  options: Options,
): readonly Job[] {
  try {
    return plan(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const file = path.join(folder, RECORD_FILE);
    throw new UserError(`${file}: the options of the run are damaged (${error.message})`);
  }
}

/** Another version may measure otherwise, even if it plans the same jobs. */
function warnOfOthers(tag: string, programs: ProgramCounts, version: string): void {
  const others = [...programs].filter(([program]) => program !== version);
  if (others.length === 0) return;
  print(
    process.stderr,
    `${tag} this is multipath-dash ${version}, the outcomes so far are of ${programsText(programs)}: other versions may measure otherwise, and the report names all of them. For figures of one version begin a new run without --resume\n`,
  );
}

/** Finished jobs with the version that ran each. Removes a broken last line and reports it. */
async function finishedJobs(
  file: string,
  tag: string,
  begunBy: string,
  onLine: (line: JobLine) => void,
): Promise<Map<string, string>> {
  const programs = new Map<string, string>();
  let brokenAt: number | undefined;
  await readJobLog(file, {
    onLine: (line) => {
      if ('outcome' in line) programs.set(line.key, line.program ?? begunBy);
      onLine(line);
    },
    onBroken: (at) => {
      brokenAt = at;
    },
  });
  if (brokenAt !== undefined) {
    cutJobLog(file, brokenAt);
    print(
      process.stderr,
      `${tag} the last line of ${file} was cut off: its job is simulated again\n`,
    );
  }
  return programs;
}
