import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorText } from '../../core';

/** Files of one session. */
interface KeptSession {
  /** Oldest first. */
  startedAt: string;
  files: string[];
  bytes: number;
  lastWrittenMs: number;
  /** Deleted when it is empty. */
  folder?: string;
}

/** About sixty hours over two paths. */
export const DEFAULT_KEPT_BYTES = 500e6;

/** A playing session writes several times a second, so no session writes a log of this age. */
const QUIET_MS = 10 * 60_000;

const stamp = String.raw`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d`;
/** File names of the app's logs. */
const sessionName = new RegExp(String.raw`^session-(${stamp})-[0-9a-f]{4}\.jsonl(\.gz(\.tail)?)?$`);
/** Names of the folders that `play` creates by default. */
const runName = new RegExp(`^${stamp}(-\\d+)?$`);
/** Files that `play` writes into a run. Any other file there is the user's. */
const runFile = /^(session(-\d+)?\.jsonl\.gz(\.tail)?|report\.html|summary\.json)$/;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sessionOf(startedAt: string, files: string[], folder?: string): KeptSession {
  const stats = files.flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
  return {
    startedAt,
    files,
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    lastWrittenMs: Math.max(0, ...stats.map(({ mtimeMs }) => mtimeMs)),
    ...(folder === undefined ? {} : { folder }),
  };
}

/** The app's sessions in its log folder. */
export function sessionsIn(folder: string): KeptSession[] {
  return namesIn(folder)
    .filter((name) => sessionName.test(name) && !name.endsWith('.tail'))
    .map((name) => {
      const file = path.join(folder, name);
      return sessionOf(name, [file, `${file}.tail`]);
    });
}

/** The runs of `play` in the folder of runs. Runs of other commands have a plain log and stay. */
export function playedRunsIn(folder: string): KeptSession[] {
  return namesIn(folder)
    .filter((name) => runName.test(name))
    .flatMap((name) => {
      const run = path.join(folder, name);
      const files = namesIn(run).filter((file) => runFile.test(file));
      if (!files.includes('session.jsonl.gz')) return [];
      return [
        sessionOf(
          name,
          files.map((file) => path.join(run, file)),
          run,
        ),
      ];
    });
}

/**
 * Deletes the oldest sessions until the rest fits into `bytes`. Keeps the newest, and every log written
 * within the last ten minutes: it may still be playing.
 * @returns the first reason why a file could not be deleted
 */
export function keepLogs(
  sessions: readonly KeptSession[],
  bytes: number,
  nowMs: number,
): string | undefined {
  const oldestFirst = [...sessions].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  let total = oldestFirst.reduce((sum, session) => sum + session.bytes, 0);
  let problem: string | undefined;
  for (const session of oldestFirst.slice(0, -1)) {
    if (total <= bytes) break;
    if (nowMs - session.lastWrittenMs < QUIET_MS) continue;
    try {
      for (const file of session.files) rmSync(file, { force: true });
      total -= session.bytes;
      if (session.folder !== undefined && namesIn(session.folder).length === 0) {
        rmdirSync(session.folder);
      }
    } catch (error) {
      problem ??= `an old session log stays (${errorText(error)})`;
    }
  }
  return problem;
}
