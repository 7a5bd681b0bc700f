import { appendFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { summarize } from '../../qoe';
import { isLogName, readLog } from '../../transport';
import { recordText, writeWhole } from '../host';
import {
  judgeSoak,
  LOG_BUDGET_MB,
  verdictOf,
  type SoakFigure,
  type BudgetVerdict,
} from './budgets';
import type { SoakSample } from './sample';
import type { ViewerRecord } from './viewer';

const HOUR_MS = 3_600_000;
const MB = 1e6;

/** The compact record of a run. */
export interface SoakRecord {
  schemaVersion: 1;
  startedAt: string;
  machine: Record<string, string | number>;
  settings: { forMs: number; warmUpMs: number; seed: number; play: readonly string[] };
  ranMs: number;
  ended: 'done' | 'interrupted' | 'failed' | 'running';
  fault?: string;
  viewer: ViewerRecord & Partial<PlayedTotals>;
  figures: readonly SoakFigure[];
  log: { mb: number; mbPerHour: number; budget: number; verdict: BudgetVerdict };
}

/** Totals over all pages of the run, from their logs. */
export interface PlayedTotals {
  pages: number;
  playedMs: number;
  stalls: number;
  stalledMs: number;
  fatalErrors: number;
  /** Lines that could not be read, and logs without an `end` line. */
  brokenLogs: number;
}

/** The session logs of a run, with the tails of compact ones. */
const logsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('session'));

export function logBytes(folder: string): number {
  return logsIn(folder).reduce((sum, name) => {
    const found = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return sum + (found?.size ?? 0);
  }, 0);
}

export function playedTotals(folder: string): PlayedTotals {
  const totals: PlayedTotals = {
    ...{ pages: 0, playedMs: 0, stalls: 0, stalledMs: 0, fatalErrors: 0, brokenLogs: 0 },
  };
  for (const name of logsIn(folder).filter(isLogName)) {
    const log = readLog(path.join(folder, name));
    const summary = summarize(log.events, { logFile: name });
    totals.pages += 1;
    totals.playedMs += summary.playedMs;
    totals.stalls += summary.stalls.count;
    totals.stalledMs += summary.stalls.totalMs;
    totals.fatalErrors += summary.errors.filter(({ fatal }) => fatal).length;
    if (log.errors.length > 0 || !summary.complete) totals.brokenLogs += 1;
  }
  return totals;
}

/** The record of what is known so far. */
export function createRecord(
  run: Pick<SoakRecord, 'startedAt' | 'machine' | 'settings' | 'viewer' | 'ended' | 'fault'>,
  samples: readonly SoakSample[],
  collected: readonly SoakSample[],
): SoakRecord {
  const { warmUpMs } = run.settings;
  const ranMs = samples.at(-1)?.atMs ?? 0;
  const mb = (samples.at(-1)?.logBytes ?? 0) / MB;
  const perHour = ranMs === 0 ? 0 : (mb * HOUR_MS) / ranMs;
  return {
    schemaVersion: 1,
    ...run,
    ranMs,
    figures: judgeSoak({ samples, collected }, warmUpMs, run.viewer.lastReloadMs),
    log: {
      mb,
      mbPerHour: perHour,
      budget: LOG_BUDGET_MB,
      verdict: verdictOf({ perHour, low: perHour, high: perHour }, samples.length, LOG_BUDGET_MB),
    },
  };
}

/** Figures over their budget, as text; empty if there are none. */
export function exceeded({ figures, log }: SoakRecord): string[] {
  return [
    ...figures
      .filter(({ verdict }) => verdict === 'over')
      .map(({ role, figure }) => `${role} ${figure}`),
    ...(log.verdict === 'over' ? ['log'] : []),
  ];
}

/** A run's folder: a line for each sample, and the record so far, whole at any time. */
export function soakFolder(folder: string) {
  const recordFile = path.join(folder, 'soak.json');
  return {
    recordFile,
    addSample: (sample: SoakSample): void =>
      appendFileSync(path.join(folder, 'samples.jsonl'), `${JSON.stringify(sample)}\n`),
    write(record: SoakRecord): void {
      writeWhole(recordFile, recordText(record));
    },
  };
}

/**
 * Writes the record of a run that has ended, with the totals of its pages once the player has ended. That may take a
 * minute, so the outcome is written before it too.
 */
export async function endSoak(
  folder: ReturnType<typeof soakFolder>,
  outDir: string,
  record: () => SoakRecord,
  endPlayer: () => Promise<void>,
): Promise<SoakRecord> {
  folder.write(record());
  await endPlayer();
  const last = record();
  const whole = { ...last, viewer: { ...last.viewer, ...playedTotals(outDir) } };
  folder.write(whole);
  return whole;
}
