import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AQM_TARGETS_MS, aqmReport, aqmText, renderAqm, scenarioName } from '../../experiments';
import type { Results } from '../../report';
import {
  UserError,
  defaultRunDir,
  checkJsonFile,
  print,
  forTerminal,
  writeJson,
  writeWhole,
} from '../../runner/host';
import {
  type Lanes,
  readRun,
  runFolders,
  builtAssets,
  run,
  type RunOptions,
} from '../../runner/run';
import { shippedScenarios } from '../../runner/scenarios';
import { readDelays } from './queue-logs';

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

/** For `--quick`: six scenarios by two trials by half a minute, about ten minutes in all. */
export const QUICK_TRIALS = 2;
export const QUICK_SECONDS = 30;

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
  const trials = options.trials ?? (isQuick ? QUICK_TRIALS : undefined);
  const seconds = options.seconds ?? (isQuick ? QUICK_SECONDS : undefined);
  return {
    within,
    ...parallel,
    out: base,
    ...(trials === undefined ? {} : { trials }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(options.seed === undefined ? {} : { set: [`seed=${options.seed}`] }),
  };
}

/** Writes `aqm.md`, `aqm.json` and `aqm.html` beside the results of the six. */
function report(base: string, resultsFile: string, json: string | undefined): void {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
  const [folder] = runFolders(base);
  const trialMs = folder === undefined ? undefined : readRun(folder).scenario.durationMs;
  const delays = readDelays(base);
  const comparison = aqmReport(results, { delays, ...(trialMs === undefined ? {} : { trialMs }) });
  const text = aqmText(comparison);
  const page = path.join(base, 'aqm.html');
  writeWhole(path.join(base, 'aqm.md'), text);
  writeJson(path.join(base, 'aqm.json'), comparison);
  writeWhole(page, renderAqm(comparison, builtAssets()));
  if (json !== undefined) writeJson(json, comparison);
  if (json !== '-') print(process.stdout, `${forTerminal(text)}\n`);
  print(process.stderr, `[aqm] beside the paper: ${page}\n`);
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
