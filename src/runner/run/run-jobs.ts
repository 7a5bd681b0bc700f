import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PreparedMedia } from '../../lab';
import type { PortableScenario, RunRecord } from '../../scenario';
import { playedMachineFacts } from '../host/machine-facts';
import { mediaProgress } from '../host/media-progress';
import { resumeOption } from '../host/run-dir';
import { UserError } from '../host/user-error';
import { JOB_LOG_FILE, RECORD_FILE } from '../jobs/job-record';
import {
  copyScenario,
  readScenario,
  scenarioFiles,
  type ScenarioChanges,
} from '../scenarios/scenario-files';
import { prepareTrials } from '../trial/trial';
import { carriedLanes, type Lanes } from './lanes';
import { planTrials } from './plan';
import { checkSameScenario, finishedTrial, makeRunFolder, writeRunFile } from './resume';
import { noRunIn, readRun, runFolders } from './run-record';
import { MEDIA_FILE } from './run-trial';

export interface RunOptions {
  trials?: number;
  players?: string[];
  set?: string[];
  seconds?: number;
  quick?: boolean;
  out?: string;
  json?: string;
  resume?: string;
  retryFailed?: boolean;
  /** Simultaneous trials. Default: 1. */
  parallel?: Lanes;
}

/** Trials and seconds of `--quick`: it checks that a scenario works, not its results. */
const QUICK_TRIALS = 1;
const QUICK_SECONDS = 15;

/** One scenario to be run in one folder. */
export interface Job {
  folder: string;
  record: RunRecord;
  /** The scenario file. Undefined if an earlier run has written it. */
  source?: PortableScenario;
}

/** A job with its media in place. */
export type ReadyJob = Job & { prepared: PreparedMedia };

function changesOf(options: RunOptions): ScenarioChanges {
  const seconds = options.seconds ?? (options.quick === true ? QUICK_SECONDS : undefined);
  const trials = options.trials ?? (options.quick === true ? QUICK_TRIALS : undefined);
  return {
    ...(options.set === undefined ? {} : { set: options.set }),
    ...(options.players === undefined ? {} : { players: options.players }),
    ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
    ...(trials === undefined ? {} : { trials }),
  };
}

/** Number of simultaneous trials. */
export function lanesOf(jobs: readonly Job[], { parallel = 1 }: RunOptions): number {
  if (parallel !== 'auto') return parallel;
  return carriedLanes(jobs.map(({ record }) => record.scenario.media));
}

/** Jobs of files named on the command line. All are read before any runs. */
async function jobsOfFiles(
  files: readonly string[],
  isFolder: boolean,
  base: string,
  options: RunOptions,
  version: string,
): Promise<Job[]> {
  if (options.resume === undefined) checkNoExperiment(base);
  const startedAt = new Date().toISOString();
  const jobs = files.map((file): Job => {
    const scenario = readScenario(file, changesOf(options));
    const folder = isFolder ? path.join(base, scenario.name) : base;
    const plan = planTrials(scenario);
    const source = copyScenario(file, changesOf(options));
    return { folder, source, record: { schemaVersion: 1, scenario, startedAt, machine: {}, plan } };
  });
  const folders = new Set(jobs.map(({ folder }) => folder));
  if (folders.size < jobs.length)
    throw new UserError('two of these scenarios have the same name', 2);
  const machine = {
    ...(await playedMachineFacts(version)),
    parallelTrials: lanesOf(jobs, options),
  };
  return jobs.map((job) => {
    if (!existsSync(path.join(job.folder, 'run.json'))) {
      checkNoExperiment(job.folder);
      return { ...job, record: { ...job.record, machine } };
    }
    if (options.resume === undefined) {
      throw new UserError(
        `${job.folder} holds a run already: go on with it with ${resumeOption(base)}, or choose another folder with --out`,
      );
    }
    const earlier = readRun(job.folder);
    checkSameScenario(job.folder, earlier.scenario, job.record.scenario);
    return { folder: job.folder, record: earlier };
  });
}

/** @throws UserError if the folder holds simulated jobs: nothing could resume both */
function checkNoExperiment(folder: string): void {
  const found = [RECORD_FILE, JOB_LOG_FILE].find((name) => existsSync(path.join(folder, name)));
  if (found === undefined) return;
  throw new UserError(
    `${folder} holds an experiment already (${found}): choose another folder with --out`,
  );
}

/**
 * A folder holds either one run or a folder for each of several: the one would hide the others.
 * @throws UserError if the earlier runs of `base` are laid out in the other way
 */
function checkLayout(base: string, earlier: readonly string[], isFolder: boolean): void {
  if (earlier.length === 0 || earlier.includes(base) !== isFolder) return;
  throw new UserError(
    isFolder
      ? `${base} holds the run of one scenario: name only its file, or choose another folder with --out`
      : `${base} holds runs of several scenarios: resume it without naming a file, or choose another folder with --out`,
    2,
  );
}

/**
 * The runs that the command line asks for, new ones and earlier ones. Nothing is written.
 * @throws UserError
 */
export async function jobsOf(
  targets: readonly string[],
  base: string,
  options: RunOptions,
  version: string,
): Promise<Job[]> {
  const earlier = runFolders(base);
  if (options.resume !== undefined && earlier.length === 0) throw noRunIn(options.resume);
  if (targets.length > 0) {
    const found = targets.map((target) => scenarioFiles(target));
    const isFolder = targets.length > 1 || found[0]?.[0] === undefined || found[0].length > 1;
    checkLayout(base, earlier, isFolder);
    return jobsOfFiles(found.flat(), isFolder, base, options, version);
  }
  if (options.resume === undefined)
    throw new UserError('name a scenario to run: a file or a folder', 2);
  if (Object.keys(changesOf(options)).length > 0) {
    throw new UserError(
      '--resume without a file takes everything from the earlier run: name the file too',
      2,
    );
  }
  return earlier.map((folder) => ({ folder, record: readRun(folder) }));
}

function writeNewRun({ folder, source, record }: Job, resumeWith: string): void {
  if (source === undefined) return;
  makeRunFolder(folder);
  const write = (name: string, content: string): void =>
    writeRunFile(path.join(folder, name), content, resumeWith);
  if (source.files.size > 0) makeRunFolder(path.join(folder, 'traces'));
  for (const [name, content] of source.files) write(name, content);
  write('scenario.yaml', source.text);
  write('run.json', `${JSON.stringify(record, null, 1)}\n`);
}

/**
 * Writes every new run, then checks players and programs and makes the media of all: errors occur before the first
 * trial. After an abort every run is there to be resumed. After an error of the preparation no new run is.
 */
export async function prepareJobs(
  jobs: readonly Job[],
  resumeWith: string,
  signal: AbortSignal,
  makeMedia: typeof prepareTrials = prepareTrials,
): Promise<ReadyJob[]> {
  for (const job of jobs) writeNewRun(job, resumeWith);
  const ready: ReadyJob[] = [];
  for (const job of jobs) {
    makeRunFolder(job.folder);
    const onProgress = mediaProgress();
    const prepared = await makeMedia(job.record.scenario, { signal, onProgress }).catch(
      (error: unknown) => {
        if (!signal.aborted) removeNewRuns(jobs);
        throw error;
      },
    );
    writeRunFile(path.join(job.folder, MEDIA_FILE), `${JSON.stringify(prepared)}\n`, resumeWith);
    ready.push({ ...job, prepared });
  }
  return ready;
}

/** A scenario whose media cannot be made can be corrected, and run in the same folder. */
function removeNewRuns(jobs: readonly Job[]): void {
  for (const { folder, source } of jobs) {
    if (source !== undefined) rmSync(path.join(folder, 'run.json'), { force: true });
  }
}

/** True if a trial of the runs has failed, in this call or an earlier one. */
export function hasFailedTrial(jobs: readonly Job[]): boolean {
  return jobs.some(({ folder, record }) =>
    record.plan.some((plan) => finishedTrial(folder, plan)?.outcome === 'failed'),
  );
}
