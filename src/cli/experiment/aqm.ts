import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  AQM_QUICK,
  AQM_TARGETS_MS,
  labReportAqm,
  scenarioName,
  type ExperimentRun,
} from '../../experiments';
import type { Results } from '../../report';
import { UserError, defaultRunDir, checkJsonFile } from '../../runner/host';
import { type Lanes, readRun, runFolders, run, type RunOptions } from '../../runner/run';
import { shippedScenarios } from '../../runner/scenarios';
import { readDelays } from './queue-logs';
import { writeReport } from './write-report';

export interface AqmOptions {
  quick?: boolean;
  trials?: number;
  seconds?: number;
  seed?: number;
  parallel?: Lanes;
  out?: string;
  json?: string;
  resume?: string;
  retryFailed?: boolean;
}

const COMMAND = 'experiment aqm';

/** Names the part of an earlier run that has changed, or belongs to another experiment. @throws UserError */
function checkResumable(base: string, options: AqmOptions): void {
  const { quick, trials, seconds, seed, out } = options;
  if ([quick, trials, seconds, seed, out].some((one) => one !== undefined)) {
    throw new UserError(
      '--resume takes everything from the earlier run: leave --quick, --trials, --seconds, --seed and --out out',
      2,
    );
  }
  const there = new Set(runFolders(base).map((folder) => readRun(folder).scenario.name));
  const wanted = (['pie', 'fq-pie'] as const).flatMap((discipline) =>
    AQM_TARGETS_MS.map((targetMs) => scenarioName(discipline, targetMs)),
  );
  const missing = wanted.filter((name) => !there.has(name));
  if (missing.length === 0) return;
  throw new UserError(
    `${base} is no run of this experiment that can go on (not there: ${missing.join(', ')}): start a new one without --resume`,
    2,
  );
}

function runOptions(base: string, options: AqmOptions): RunOptions {
  const within = { command: COMMAND, isQuiet: true, takesTurns: true };
  const parallel = options.parallel === undefined ? {} : { parallel: options.parallel };
  if (options.resume !== undefined) {
    const retryFailed = options.retryFailed === true;
    return { within, ...parallel, resume: base, retryFailed };
  }
  const isQuick = options.quick === true;
  const trials = options.trials ?? (isQuick ? AQM_QUICK.trials : undefined);
  const seconds = options.seconds ?? (isQuick ? AQM_QUICK.trialMs / 1000 : undefined);
  return {
    within,
    ...parallel,
    out: base,
    ...(trials === undefined ? {} : { trials }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(options.seed === undefined ? {} : { set: [`seed=${options.seed}`] }),
  };
}

/** Origin of the figures, from the records of the six. */
function originOf(
  base: string,
  { generator, scenarios }: Results,
): ExperimentRun & { trialMs: number } {
  const [record] = runFolders(base).map(readRun);
  const runs = scenarios.flatMap((one) => one.runs);
  const sum = (pick: (counts: Results['scenarios'][number]['counts']) => number): number =>
    scenarios.reduce((total, { counts }) => total + pick(counts), 0);
  const planned = sum((counts) => counts.planned);
  const missing = sum((counts) => counts.missing);
  const done = sum(({ ok }) => ok);
  const trialMs = record?.scenario.durationMs ?? 0;
  return {
    generator,
    startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] ?? 'at an unknown time',
    quick: trialMs <= AQM_QUICK.trialMs,
    seed: record?.scenario.seed ?? 0,
    jobs: { planned, done, failed: planned - missing - done },
    machine: runs[0]?.machine ?? {},
    trialMs,
  };
}

function report(base: string, resultsFile: string, json: string | undefined): void {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
  const { trialMs, ...run } = originOf(base, results);
  writeReport(labReportAqm(results, readDelays(base), trialMs), run, base, json);
}

/** `experiment aqm`: all six scenarios in one folder, then section IV's figures beside the paper's. */
export async function aqm(options: AqmOptions, version: string): Promise<void> {
  if (options.json !== undefined) checkJsonFile(options.json);
  const base = path.resolve(options.resume ?? options.out ?? defaultRunDir(new Date()));
  if (options.resume !== undefined) checkResumable(base, options);
  const targets = options.resume === undefined ? [path.join(shippedScenarios(), 'aqm')] : [];
  await run(targets, runOptions(base, options), version);
  const resultsFile = path.join(base, 'results.json');
  if (existsSync(resultsFile)) report(base, resultsFile, options.json);
}
