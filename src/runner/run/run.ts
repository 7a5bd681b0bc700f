import { existsSync } from 'node:fs';
import path from 'node:path';
import { labRefusal, type PreparedMedia } from '../../lab';
import { resultsTable } from '../../report';
import type { PortableScenario, RunRecord, TrialPlan } from '../../scenario';
import { UserError } from '../host/user-error';
import { INTERRUPTED_STATUS, interruptible } from '../host/interrupt';
import { mediaProgress } from '../host/media-progress';
import { baseFolder } from './base-folder';
import { checkJsonFile, writeJson } from '../host/output';
import {
  copyScenario,
  readScenario,
  scenarioFiles,
  type ScenarioChanges,
} from '../scenarios/scenario-files';
import { resumeOption } from '../host/run-dir';
import { print } from '../host/terminal';
import { planTrials } from './plan';
import { carriedLanes, inLanes, type Lanes } from './lanes';
import { manyFiguresLine, Progress, trialLine, type LiveFigures } from './progress';
import { checkRoom, checkSameScenario, finishedTrial, makeRunFolder, writeRunFile } from './resume';
import { noRunIn, readRun, runFolders } from './run-record';
import { lockFolder } from './resume-lock';
import { writeResults } from './results';
import { playedMachineFacts } from '../host/machine-facts';
import { MEDIA_FILE, playTrialApart } from './run-trial';
import { RunScreen } from './run-screen';
import { prepareTrials } from '../trial/trial';

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
interface Job {
  folder: string;
  record: RunRecord;
  /** The scenario file. Undefined if an earlier run has written it. */
  source?: PortableScenario;
}

/** A job with its media in place. */
type ReadyJob = Job & { prepared: PreparedMedia };

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

/** Jobs of files named on the command line. All are read before any runs. */
async function jobsOfFiles(
  files: readonly string[],
  isFolder: boolean,
  base: string,
  options: RunOptions,
  version: string,
): Promise<Job[]> {
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

async function jobsOf(
  targets: readonly string[],
  base: string,
  options: RunOptions,
  version: string,
): Promise<Job[]> {
  const earlier = options.resume === undefined ? [] : runFolders(base);
  if (options.resume !== undefined && earlier.length === 0) throw noRunIn(options.resume);
  if (targets.length > 0) {
    const found = targets.map((target) => scenarioFiles(target));
    const isFolder = targets.length > 1 || found[0]?.[0] === undefined || found[0].length > 1;
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

/** Makes the media of all scenarios, and every run's folder: errors occur before the first trial. */
async function prepare(
  jobs: readonly Job[],
  resumeWith: string,
  signal: AbortSignal,
): Promise<ReadyJob[]> {
  const ready: ReadyJob[] = [];
  for (const job of jobs) {
    const onProgress = mediaProgress();
    const prepared = await prepareTrials(job.record.scenario, { signal, onProgress });
    makeRunFolder(job.folder);
    const write = (name: string, content: string): void =>
      writeRunFile(path.join(job.folder, name), content, resumeWith);
    write(MEDIA_FILE, `${JSON.stringify(prepared)}\n`);
    if (job.source !== undefined) {
      if (job.source.files.size > 0) makeRunFolder(path.join(job.folder, 'traces'));
      for (const [name, content] of job.source.files) write(name, content);
      write('scenario.yaml', job.source.text);
      write('run.json', `${JSON.stringify(job.record, null, 1)}\n`);
    }
    ready.push({ ...job, prepared });
  }
  return ready;
}

function isOpen({ folder }: Job, plan: TrialPlan, retryFailed: boolean): boolean {
  const record = finishedTrial(folder, plan);
  return record === undefined || (retryFailed && record.outcome === 'failed');
}

function lanesOf(jobs: readonly Job[], { parallel = 1 }: RunOptions): number {
  if (parallel !== 'auto') return parallel;
  return carriedLanes(jobs.map(({ record }) => record.scenario.media));
}

/**
 * A starting browser takes a core from those that play. The next trial waits for this one's first frame, with
 * a time limit.
 */
const MAX_START_MS = 15_000;

/** Plays the missing trials. @returns the number of failed trials */
async function playAll(
  jobs: readonly ReadyJob[],
  options: RunOptions,
  resumeWith: string,
  signal: AbortSignal,
): Promise<number> {
  const open = jobs.flatMap((job) =>
    job.record.plan
      .filter((plan) => isOpen(job, plan, options.retryFailed === true))
      .map((plan) => ({ job, plan })),
  );
  const meanMs =
    open.reduce((sum, { job }) => sum + job.record.scenario.durationMs, 0) /
    Math.max(1, open.length);
  const lanes = lanesOf(jobs, options);
  const progress = new Progress(open.length, meanMs, lanes);
  const screen = new RunScreen(process.stderr);
  const running = new Map<string, LiveFigures | undefined>();
  let failed = 0;
  if (lanes > 1) screen.print(`[lab] up to ${lanes} trials at the same time`);
  // Each sandbox listens for signals.
  process.setMaxListeners(Math.max(process.getMaxListeners(), lanes + 10));
  // Trials follow the plan's order, so that the players of one trial run in parallel.
  await inLanes(open, lanes, async ({ job, plan }, begun) => {
    if (signal.aborted) return false;
    const { scenario, plan: plans } = job.record;
    checkRoom(job.folder, resumeWith);
    screen.print(trialLine(scenario.name, plan, plans.length, progress.leftMs()));
    const startedMs = performance.now();
    const trial = { scenario, plan, runDir: job.folder, prepared: job.prepared };
    const shown = `${jobs.length > 1 ? `${scenario.name} ` : ''}#${plan.number}`;
    running.set(shown, undefined);
    const giveUp = setTimeout(begun, MAX_START_MS);
    const record = await playTrialApart(trial, resumeWith, signal, (figures) => {
      if ((figures.positionMs ?? 0) > 0) begun();
      running.set(shown, figures);
      screen.draw(`    ${manyFiguresLine(running)}`);
    }).finally(() => {
      clearTimeout(giveUp);
      running.delete(shown);
    });
    screen.clear();
    if (record === undefined) return false;
    const isOk = record.outcome === 'ok';
    progress.finished(isOk ? performance.now() - startedMs : undefined);
    if (isOk) return true;
    failed += 1;
    screen.print(`[lab] ${scenario.name}: trial ${plan.number} failed: ${record.error ?? ''}`);
    screen.print(`      kept in ${path.join(job.folder, plan.folder)}; the run goes on`);
    return true;
  });
  return failed;
}

/** `lab run [FILE|DIR...]`. */
export async function run(
  targets: readonly string[],
  options: RunOptions,
  version: string,
): Promise<void> {
  if (options.json !== undefined) checkJsonFile(options.json);
  const base = baseFolder(options);
  const resumeWith = resumeOption(base);
  const jobs = await jobsOf(targets, base, options, version);
  const isEmulated = jobs.some(({ record }) => record.scenario.backend === 'emulator');
  const refusal = await labRefusal({ isEmulated });
  if (refusal !== undefined) throw refusal;
  makeRunFolder(base);
  const release = lockFolder(base);
  try {
    await interruptible(async (signal) => {
      try {
        const ready = await prepare(jobs, resumeWith, signal);
        const failed = await playAll(ready, options, resumeWith, signal);
        if (failed > 0) process.exitCode = 1;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (signal.aborted) {
        process.exitCode = INTERRUPTED_STATUS;
        print(
          process.stderr,
          `[lab] interrupted; finished trials are kept. Go on: multipath-dash lab run ${resumeWith}\n`,
        );
      }
    });
    await reportResults(jobs, base, options);
  } finally {
    release();
  }
}

/** Writes and prints the results of the trials so far. */
async function reportResults(
  jobs: readonly Job[],
  base: string,
  options: RunOptions,
): Promise<void> {
  const folders = jobs.map(({ folder }) => folder);
  const finished = jobs.some(({ folder, record }) =>
    record.plan.some((plan) => finishedTrial(folder, plan) !== undefined),
  );
  if (!finished) return;
  const screen = new RunScreen(process.stderr);
  const results = await writeResults(folders, base, {
    onWarning: (text) => screen.print(`[lab] note: ${text}`),
    // A trial of 20 rungs takes seconds: its optimum does.
    onProgress: (done, total) =>
      screen.draw(`[lab] results of ${done} of ${total} trials are ready`),
  });
  screen.clear();
  if (options.json !== undefined) writeJson(options.json, results);
  if (options.json !== '-') {
    print(process.stdout, `${resultsTable(results)}\n`);
  }
  print(process.stderr, `[lab] report: ${path.join(base, 'report.html')}\n`);
}
