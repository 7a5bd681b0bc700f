import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { summarize, type SessionSummary } from '../qoe';
import { readLog } from '../transport';
import { runElectron } from './app';
import { CliError } from './cli-error';
import { interruptedStatus } from './interrupt';
import { tellSession, warn } from './play';
import { checkJsonFile } from './results';
import type { SessionOptions } from './session';

/**
 * Plays a demo in the desktop app, then writes its summary and the report. Signals reach the app by themselves;
 * `signal` only tells that one came.
 */
export async function playInElectron(
  session: Omit<SessionOptions, 'signal'>,
  json: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (json !== undefined) checkJsonFile(json);
  const summaryFile = path.join(session.outDir, 'app-summary.json');
  const status = await runElectron(session.url, {
    abr: session.abr,
    logDir: session.outDir,
    ...(session.seconds === undefined ? {} : { seconds: session.seconds }),
    json: summaryFile,
    mptcp: true,
    correction: session.correction,
    ...(session.decision === undefined ? {} : { decision: session.decision }),
    switches:
      session.trustedSpkiSha256 === undefined
        ? []
        : [`--ignore-certificate-errors-spki-list=${session.trustedSpkiSha256}`],
  });
  if (signal.aborted) process.exitCode = interruptedStatus;
  const logFile = loggedIn(session.outDir);
  if (logFile === undefined) {
    if (status !== 0) throw new CliError(`the desktop app ended with ${status}`);
    warn('ended before playback began');
    return;
  }
  tellSession(session.outDir, readSummary(summaryFile, logFile), logFile, json);
  if (status !== 0 && !signal.aborted) throw new CliError(`the desktop app ended with ${status}`);
}

/** The log the app wrote. */
function loggedIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder)
    .filter((one) => one.endsWith('.jsonl'))
    .sort()
    .at(-1);
  return name === undefined ? undefined : path.join(folder, name);
}

/** What the app summed up, or where it did not come to that, what its log says. */
function readSummary(file: string, logFile: string): SessionSummary {
  if (!existsSync(file)) return summarize(readLog(logFile).events, { logFile });
  return JSON.parse(readFileSync(file, 'utf8')) as SessionSummary;
}
