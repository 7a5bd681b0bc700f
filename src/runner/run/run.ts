import path from 'node:path';
import { labRefusal } from '../../lab';
import { resultsTable } from '../../report';
import type { TrialPlan } from '../../scenario';
import { INTERRUPTED_STATUS, interruptible } from '../host/interrupt';
import { checkJsonFile, writeJson } from '../host/output';
import { resumeOption } from '../host/run-dir';
import { print } from '../host/terminal';
import { UserError } from '../host/user-error';
import { baseFolder } from './base-folder';
import { inLanes } from './lanes';
import { manyFiguresLine, Progress, trialLine, type LiveFigures } from './progress';
import { checkRoom, finishedTrial, makeRunFolder } from './resume';
import { lockFolder } from './resume-lock';
import { writeResults } from './results';
import {
  hasFailedTrial,
  jobsOf,
  lanesOf,
  prepareJobs,
  type Job,
  type ReadyJob,
  type RunOptions,
} from './run-jobs';
import { RunScreen } from './run-screen';
import { playTrialApart } from './run-trial';

function isOpen({ folder }: Job, plan: TrialPlan, retryFailed: boolean): boolean {
  const record = finishedTrial(folder, plan);
  return record === undefined || (retryFailed && record.outcome === 'failed');
}

/**
 * A starting browser takes a core from those that play. The next trial waits for this one's first frame, with
 * a time limit.
 */
const MAX_START_MS = 15_000;

/** Plays the missing trials. */
async function playAll(
  jobs: readonly ReadyJob[],
  options: RunOptions,
  resumeWith: string,
  signal: AbortSignal,
): Promise<void> {
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
    screen.print(`[lab] ${scenario.name}: trial ${plan.number} failed: ${record.error ?? ''}`);
    screen.print(`      kept in ${path.join(job.folder, plan.folder)}; the run goes on`);
    return true;
  });
}

/** `lab run [FILE|DIR...]`. */
export async function run(
  targets: readonly string[],
  options: RunOptions,
  version: string,
): Promise<void> {
  if (options.retryFailed === true && options.resume === undefined) {
    throw new UserError('--retry-failed plays trials of an earlier run again: add --resume DIR', 2);
  }
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
        const ready = await prepareJobs(jobs, resumeWith, signal);
        await playAll(ready, options, resumeWith, signal);
        if (hasFailedTrial(jobs)) process.exitCode = 1;
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
