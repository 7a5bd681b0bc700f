import type { Command } from 'commander';
import path from 'node:path';
import { CliError } from './cli-error';
import { mptcpEnv } from './mptcp-env';
import {
  addPlayingOptions,
  defaultRunDir,
  hasDisplay,
  positiveNumber,
  type PlayingOptions,
} from './options';
import { writeReport } from './report';
import { summaryLines, writeJson } from './results';
import { runSession, type SessionOptions, type SessionResult } from './session';

/** Tells something that is not as it should be, but does not stop us. */
export function warn(message: string): void {
  process.stderr.write(`multipath-dash: ${message}\n`);
}

/** An abort signal that the first Ctrl-C (or SIGTERM) raises. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort).once('SIGHUP', abort);
  return controller.signal;
}

/** Runs a session and shows its results; sets the exit status. */
export async function playAndTell(
  options: Omit<SessionOptions, 'signal'>,
  json: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const result: SessionResult = await runSession({ ...options, signal });
  const report = writeReport(options.outDir);
  process.stderr.write(`\nSummary\n${summaryLines(result.summary).join('\n')}\n`);
  process.stderr.write(`  log              ${result.logFile}\n  report           ${report}\n`);
  if (json !== undefined) writeJson(json, result.summary);
  if (result.failure !== undefined) throw new CliError(result.failure);
  if (signal.aborted) process.exitCode = 130;
}

/** `multipath-dash play URL`. */
export function addPlayCommand(program: Command): void {
  const command = program
    .command('play')
    .description('play a stream in Chromium over MPTCP, watching every path')
    .argument('<url>', 'http or https URL of an MPD')
    .option('--seconds <n>', 'playing time (default: to the end)', positiveNumber)
    .option('--no-mptcp', 'leave the browser on plain TCP');
  addPlayingOptions(command).action(
    async (url: string, options: PlayingOptions & { mptcp: boolean }) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new CliError(`${url} is not an http or https URL`, 2);
      }
      const outDir = path.resolve(options.out ?? defaultRunDir(new Date()));
      await playAndTell(
        {
          url,
          abr: options.abr,
          correction: options.correction,
          headless: options.headless ?? !hasDisplay(),
          seconds: options.seconds,
          outDir,
          env: options.mptcp ? await mptcpEnv(warn) : {},
          settings: { command: 'play', mptcp: options.mptcp },
        },
        options.json,
        interruptSignal(),
      );
    },
  );
}
