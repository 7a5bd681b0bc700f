import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { runElectron } from './app';
import { CliError } from './cli-error';
import { writeReport } from './report';
import { writeJson } from './results';
import type { SessionOptions } from './session';

/** Plays a demo in the desktop app, then shows the same results as the browser player. */
export async function playInElectron(
  session: Omit<SessionOptions, 'signal'>,
  json: string | undefined,
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
  process.stderr.write(`  report           ${writeReport(session.outDir)}\n`);
  if (status !== 0) throw new CliError(`the desktop app ended with ${status}`);
}
