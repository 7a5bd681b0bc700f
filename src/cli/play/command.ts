import type { Command } from 'commander';
import path from 'node:path';
import { errorText } from '../../core';
import type { SessionSummary } from '../../qoe';
import { explainDecisions } from '../../report';
import { keepLogs, OWNER_ONLY, playedRunsIn, readLog } from '../../transport';
import {
  UserError,
  INTERRUPTED_STATUS,
  interruptible,
  carriageEnv,
  proxyOfVariables,
  claimRunDir,
  hasDisplay,
  checkJsonFile,
  decisionLines,
  summaryLines,
  writeJson,
  print,
  warn,
} from '../../runner/host';
import {
  addLogOptions,
  addMediaOptions,
  addPlayingOptions,
  checkCarriage,
  readDecision,
  readSeconds,
  readMedia,
  type LogOptions,
  type MediaCommandOptions,
  type PlayingOptions,
} from '../../runner/options';
import { writeReport } from '../report/command';
import { trimHeapRegularly } from '../trim-heap';
import { runSession, type SessionOptions, type SessionResult } from '../../runner/session';

/** Exit status of a session that played, but whose log, report or summary could not be written. */
export const NOT_KEPT_STATUS = 3;

/** The files of a session that could be kept. The user sees the reasons for missing ones. */
function tryTo<T>(what: string, step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    warn(`${what}: ${errorText(error)}`);
    return undefined;
  }
}

/**
 * Writes the report of a session's folder and shows the session's outcome. On a full disk or in a deleted
 * folder the report is lost, but not the summary: it goes to standard output if its file cannot be written.
 * @returns false if a file could not be kept
 */
export function reportSession(
  outDir: string,
  summary: SessionSummary,
  logFile: string,
  json: string | undefined,
): boolean {
  const decisions = tryTo('no path decisions are shown', () =>
    explainDecisions(readLog(logFile).events),
  );
  const lines = [...summaryLines(summary), ...decisionLines(decisions ?? [])];
  print(process.stderr, `\nSummary\n${lines.join('\n')}\n`);
  const report = tryTo('the report could not be written', () => writeReport(outDir));
  const files = [['log', decisions && logFile] as const, ['report', report] as const];
  for (const [name, file] of files) {
    if (file !== undefined) print(process.stderr, `  ${name.padEnd(16)} ${file}\n`);
  }
  let written = true;
  if (json !== undefined) {
    written =
      tryTo('the summary follows on standard output', () => {
        writeJson(json, summary, OWNER_ONLY);
        return true;
      }) === true;
    if (!written) writeJson('-', summary);
  }
  return written && decisions !== undefined && report !== undefined;
}

/** Runs a session and shows its results. Sets the exit status. */
export async function playAndReport(
  options: Omit<SessionOptions, 'signal'>,
  json: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (json !== undefined) checkJsonFile(json);
  const endTrimming = trimHeapRegularly();
  const result: SessionResult = await runSession({ ...options, signal }).finally(endTrimming);
  if (signal.aborted) process.exitCode = INTERRUPTED_STATUS;
  if (!result.played) {
    // The page never connected, so there is no summary.
    if (result.failure !== undefined) throw new UserError(result.failure);
    warn('ended before playback began');
    return;
  }
  const isKept = reportSession(options.outDir, result.summary, result.logFile, json);
  if (result.failure !== undefined) throw new UserError(result.failure);
  if (!signal.aborted && !(isKept && result.logIsWhole)) process.exitCode = NOT_KEPT_STATUS;
}

/** Deletes the oldest runs of `play`, if it chose the folder itself. */
function keepRuns(folder: string, bytes: number): void {
  const problem = keepLogs(playedRunsIn(folder), bytes, Date.now());
  if (problem !== undefined) warn(problem);
}

/** `multipath-dash play URL`. */
export function addPlayCommand(program: Command): void {
  const command = program
    .command('play')
    .description('play a stream in Chromium over every network, watching each')
    .argument('<url>', 'http or https URL of an MPD')
    .option('--seconds <n>', 'playing time (default: to the end)', (text: string) =>
      readSeconds(text),
    )
    .option('--no-mptcp', 'leave the browser on plain TCP')
    .addHelpText(
      'after',
      '\nExit status: 0 played, 1 failed, 2 wrong usage, 3 played but log, report or summary could not be written, 130 interrupted.',
    );
  addLogOptions(addMediaOptions(addPlayingOptions(command))).action(
    async (
      url: string,
      options: PlayingOptions & MediaCommandOptions & LogOptions & { mptcp: boolean },
    ) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new UserError(`${url} is not an http or https URL`, 2);
      }
      checkCarriage(options);
      const session = {
        url,
        abr: options.abr,
        correction: options.correction,
        decision: readDecision(options),
        media: readMedia(options),
        headless: options.headless ?? !hasDisplay(),
        seconds: options.seconds,
        carriage: options.carriage,
        proxyFor: (asked: URL) => proxyOfVariables(asked, process.env),
        env: options.mptcp ? carriageEnv(options.carriage, warn) : {},
        logFormat: options.logFormat,
        wholeUrls: options.logWholeUrls,
        settings: { command: 'play', mptcp: options.mptcp, carriage: options.carriage },
      };
      const outDir = path.resolve(options.out ?? claimRunDir(new Date()));
      try {
        await interruptible((signal) =>
          playAndReport({ ...session, outDir }, options.json, signal),
        );
      } finally {
        if (options.out === undefined) keepRuns(path.dirname(outDir), options.keepLogs);
      }
    },
  );
}
