import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { summarize, type SessionSummary } from '../../qoe';
import { isLogName, readLog } from '../../transport';
import { runElectron } from '../app/command';
import { UserError, INTERRUPTED_STATUS, checkJsonFile, warn } from '../../runner/host';
import { NOT_KEPT_STATUS, reportSession } from '../play/command';
import type { SessionOptions } from '../../runner/session';

/**
 * Plays a demo in the desktop app, then writes its summary and the report. The app receives the signals
 * itself. `signal` only shows that one came.
 */
export async function playInElectron(
  session: Omit<SessionOptions, 'signal'>,
  json: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (json !== undefined) checkJsonFile(json);
  const summaryFile = path.join(session.outDir, 'app-summary.json');
  // The viewer's own profile stores networks and preferences, which must not affect the demo.
  const profile = mkdtempSync(path.join(os.tmpdir(), 'multipath-dash-profile-'));
  const status = await runElectron(session.url, {
    abr: session.abr,
    logDir: session.outDir,
    ...(session.seconds === undefined ? {} : { seconds: session.seconds }),
    json: summaryFile,
    logFormat: 'plain',
    mptcp: true,
    ...(session.carriage === undefined ? {} : { carriage: session.carriage }),
    correction: session.correction,
    ...(session.decision === undefined ? {} : { decision: session.decision }),
    switches: [
      `--user-data-dir=${profile}`,
      ...(session.trustedSpkiSha256 === undefined
        ? []
        : [`--ignore-certificate-errors-spki-list=${session.trustedSpkiSha256}`]),
    ],
  }).finally(() => rmSync(profile, { recursive: true, force: true, maxRetries: 10 }));
  if (signal.aborted) process.exitCode = INTERRUPTED_STATUS;
  const logFile = loggedIn(session.outDir);
  if (logFile === undefined) {
    if (status !== 0) throw new UserError(`the desktop app ended with ${status}`);
    warn('ended before playback began');
    return;
  }
  const summary = readSummary(summaryFile, logFile);
  const isKept = reportSession(session.outDir, summary, logFile, json);
  if (status !== 0 && !signal.aborted) throw new UserError(`the desktop app ended with ${status}`);
  if (!isKept && !signal.aborted) process.exitCode = NOT_KEPT_STATUS;
}

/** The log of the app. */
function loggedIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder).filter(isLogName).sort().at(-1);
  return name === undefined ? undefined : path.join(folder, name);
}

/** The app's summary, or without one, a summary of its log. */
function readSummary(file: string, logFile: string): SessionSummary {
  if (!existsSync(file)) return summarize(readLog(logFile).events, { logFile });
  return JSON.parse(readFileSync(file, 'utf8')) as SessionSummary;
}
