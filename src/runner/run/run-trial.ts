import { readFileSync } from 'node:fs';
import path from 'node:path';
import { enterSandbox, guardSandbox, isInsideSandbox, type PreparedMedia } from '../../lab';
import type { LogEvent } from '../../session-log';
import type { Scenario, TrialPlan, TrialRecord } from '../../scenario';
import { lastLine } from '../host/last-line';
import { ownProgram } from '../host/own-program';
import { print } from '../host/terminal';
import { UserError } from '../host/user-error';
import { unlessInterrupted } from '../host/interrupt';
import { LiveState } from '../session/live-state';
import type { LiveFigures } from './progress';
import { finishedTrial, makeRunFolder, writeRunFile } from './resume';
import { readRun } from './run-record';
import { runTrial } from '../trial/trial';
import { writeTrialRecord } from '../trial/record';

/** Input of {@link runTrial} beside the run's record. It lies in the run's folder. */
export const MEDIA_FILE = 'media.json';

/** An orderly end of nginx, browser and programs takes a few seconds on a busy machine. */
const GRACE_MS = 20_000;
/** Time in addition to the playing time: set-up, start of the browser, stalls. */
const SLACK_MS = 180_000;
/** Interval in which a running trial reports to the screen. Chosen; no measurement. */
const FIGURES_EVERY_MS = 1000;
/** Characters kept of the child's standard error. */
const MAX_OUTPUT = 200_000;

function figuresOf(live: LiveState): LiveFigures {
  const { player } = live;
  return {
    ...(player === undefined
      ? {}
      : {
          positionMs: player.positionMs,
          bufferMs: player.bufferMs,
          bitrateBps: player.bitrateBps,
        }),
    stalls: live.stalls.count,
    paths: live.livePaths().map(({ pathId, rateBps }) => ({ id: pathId, rateBps })),
  };
}

/** `lab trial RUN NUMBER`: plays one trial of a run, inside its sandbox. */
export async function trialInside(runDir: string, number: number): Promise<void> {
  if (!isInsideSandbox()) throw new UserError('`lab trial` is part of `lab run`: use that', 2);
  guardSandbox();
  const { scenario, plan: plans } = readRun(runDir);
  const plan = plans.find((one) => one.number === number);
  if (plan === undefined) throw new UserError(`${runDir} has no trial ${number}`, 2);
  const prepared = JSON.parse(readFileSync(path.join(runDir, MEDIA_FILE), 'utf8')) as PreparedMedia;
  const live = new LiveState();
  const progressTimer = setInterval(() => {
    print(process.stdout, `${JSON.stringify(figuresOf(live))}\n`);
  }, FIGURES_EVERY_MS);
  const limit = AbortSignal.timeout(3 * scenario.durationMs + SLACK_MS);
  try {
    await unlessInterrupted((signal) =>
      runTrial({
        scenario,
        plan,
        runDir,
        prepared,
        signal: AbortSignal.any([signal, limit]),
        onEvent: (event: LogEvent) => live.observe(event),
      }),
    );
  } finally {
    clearInterval(progressTimer);
  }
  // Exits explicitly: a handle that a library left open must not keep the process alive.
  process.exit();
}

export interface TrialOfRun {
  scenario: Scenario;
  plan: TrialPlan;
  runDir: string;
  prepared: PreparedMedia;
}

/** The trial's record if its process could not write one. */
function crashRecord(
  { scenario, plan, prepared }: TrialOfRun,
  startedAt: string,
  error: string,
): TrialRecord {
  return {
    schemaVersion: 1,
    scenario: scenario.name,
    player: plan.player,
    trial: plan.trial,
    seed: plan.seed,
    startedAt,
    startMonotonicMs: 0,
    outcome: 'failed',
    error,
    sessionFile: 'session.jsonl',
    networkFile: 'network.jsonl',
    media: prepared.sizes,
    traffic: [],
  };
}

/** Parses the figures from chunks of output; other lines are skipped. */
function figuresReader(onFigures: (figures: LiveFigures) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        onFigures(JSON.parse(line) as LiveFigures);
      } catch {
        // A program inside wrote to this standard output: ignored.
      }
    }
  };
}

/**
 * Plays one trial in its own process and sandbox, so that all its processes end with it.
 * @param resumeWith the option that resumes this run, for errors
 * @returns its record, or undefined if `signal` aborted it
 * @throws UserError if the run's folder cannot be written
 */
export async function playTrialApart(
  trial: TrialOfRun,
  resumeWith: string,
  signal: AbortSignal,
  onFigures: (figures: LiveFigures) => void,
): Promise<TrialRecord | undefined> {
  const { runDir, plan } = trial;
  const startedAt = new Date().toISOString();
  let output = '';
  const status = await enterSandbox({
    argv: [...ownProgram(), 'lab', 'trial', path.resolve(runDir), String(plan.number)],
    stdio: 'pipe',
    graceMs: GRACE_MS,
    onStdout: figuresReader(onFigures),
    onStderr: (text) => {
      output = (output + text).slice(-MAX_OUTPUT);
    },
  });
  const folder = path.join(runDir, plan.folder);
  makeRunFolder(folder);
  if (output !== '') writeRunFile(path.join(folder, 'output.txt'), output, resumeWith);
  const record = finishedTrial(runDir, plan);
  if (record !== undefined) return record;
  if (signal.aborted) return undefined;
  const why = lastLine(output);
  const error = `its process ended with status ${status}${why === '' ? '' : `: ${why}`}`;
  const crashed = crashRecord(trial, startedAt, error);
  writeTrialRecord(folder, crashed);
  return crashed;
}
