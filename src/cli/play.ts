import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SessionSummary } from '../qoe';
import { explainDecisions } from '../report';
import { readLog } from '../transport';
import { CliError } from './cli-error';
import { interruptedStatus, interruptible } from './interrupt';
import { mptcpEnv } from './mptcp-env';
import {
  addPlayingOptions,
  defaultRunDir,
  hasDisplay,
  readDecision,
  readSeconds,
  type PlayingOptions,
} from './options';
import { writeReport } from './report';
import { checkJsonFile, decisionLines, summaryLines, writeJson } from './results';
import { runSession, type SessionOptions, type SessionResult } from './session';

/** Tells something that is not as it should be, but does not stop us. */
export function warn(message: string): void {
  process.stderr.write(`multipath-dash: ${message}\n`);
}

/** Writes the report of a session's folder and tells what became of the session. */
export function tellSession(
  outDir: string,
  summary: SessionSummary,
  logFile: string,
  json: string | undefined,
): void {
  const report = writeReport(outDir);
  const decisions = explainDecisions(readLog(logFile).events);
  const lines = [...summaryLines(summary), ...decisionLines(decisions)];
  process.stderr.write(`\nSummary\n${lines.join('\n')}\n`);
  process.stderr.write(`  log              ${logFile}\n  report           ${report}\n`);
  if (json !== undefined) writeJson(json, summary);
}

/** Runs a session and shows its results; sets the exit status. */
export async function playAndTell(
  options: Omit<SessionOptions, 'signal'>,
  json: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (json !== undefined) checkJsonFile(json);
  const result: SessionResult = await runSession({ ...options, signal });
  if (signal.aborted) process.exitCode = interruptedStatus;
  if (!existsSync(result.logFile)) {
    // The page never came, so there is nothing to sum up.
    if (result.failure !== undefined) throw new CliError(result.failure);
    warn('ended before playback began');
    return;
  }
  tellSession(options.outDir, result.summary, result.logFile, json);
  if (result.failure !== undefined) throw new CliError(result.failure);
}

/** `multipath-dash play URL`. */
export function addPlayCommand(program: Command): void {
  const command = program
    .command('play')
    .description('play a stream in Chromium over MPTCP, watching every path')
    .argument('<url>', 'http or https URL of an MPD')
    .option('--seconds <n>', 'playing time (default: to the end)', (text: string) =>
      readSeconds(text),
    )
    .option('--no-mptcp', 'leave the browser on plain TCP');
  addPlayingOptions(command).action(
    async (url: string, options: PlayingOptions & { mptcp: boolean }) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new CliError(`${url} is not an http or https URL`, 2);
      }
      const outDir = path.resolve(options.out ?? defaultRunDir(new Date()));
      const session = {
        url,
        abr: options.abr,
        correction: options.correction,
        decision: readDecision(options),
        headless: options.headless ?? !hasDisplay(),
        seconds: options.seconds,
        outDir,
        env: options.mptcp ? mptcpEnv(warn) : {},
        settings: { command: 'play', mptcp: options.mptcp },
      };
      await interruptible((signal) => playAndTell(session, options.json, signal));
    },
  );
}
