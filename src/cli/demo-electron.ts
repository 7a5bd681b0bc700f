import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { runElectron } from './app';
import { CliError } from './cli-error';
import { interruptedStatus } from './interrupt';
import { writeReport } from './report';
import { writeJson } from './results';
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
  const summaryFile = path.join(session.outDir, 'app-summary.json');
  const status = await runElectron(session.url, {
    abr: session.abr,
    logDir: session.outDir,
    ...(session.seconds === undefined ? {} : { seconds: session.seconds }),
    json: summaryFile,
    mptcp: true,
    switches:
      session.trustedSpkiSha256 === undefined
        ? []
        : [`--ignore-certificate-errors-spki-list=${session.trustedSpkiSha256}`],
  });
  if (existsSync(summaryFile) && json !== undefined) {
    writeJson(json, JSON.parse(readFileSync(summaryFile, 'utf8')));
  }
  if (signal.aborted) {
    process.exitCode = interruptedStatus;
    return;
  }
  process.stderr.write(`  report           ${writeReport(session.outDir)}\n`);
  if (status !== 0) throw new CliError(`the desktop app ended with ${status}`);
}
