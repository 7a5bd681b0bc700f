import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord, Scenario, TrialPlan, TrialRecord } from '../../scenario';
import { CliError } from '../cli-error';

/** A trial's logs take a few MB; below this a run stops before it writes half of one. */
const LEAST_FREE_BYTES = 50e6;

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Makes the folder of a run. @throws CliError when it cannot be written */
export function makeRunFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new CliError(
      `${folder} cannot be written (${reasonOf(error)}): choose another with --out`,
    );
  }
}

/** @throws CliError when there is too little room for another trial */
export function checkRoom(folder: string, resumeWith: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= LEAST_FREE_BYTES) return;
  throw new CliError(
    `${folder}: only ${((bavail * bsize) / 1e6).toFixed(0)} MB are free, too little for a trial. ` +
      `Finished trials are kept: make room and go on with ${resumeWith}`,
  );
}

/** Writes a file whole or not at all. @throws CliError */
export function writeWhole(file: string, content: string, resumeWith: string): void {
  try {
    writeFileSync(`${file}.part`, content);
    renameSync(`${file}.part`, file);
  } catch (error) {
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw new CliError(
      `${file} cannot be written: ${full ? 'the disk is full. ' : `${reasonOf(error)}. `}` +
        `Finished trials are kept: mend it and go on with ${resumeWith}`,
    );
  }
}

/** Reads a file of a run. @throws CliError when it is not there or no JSON */
function readRunFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new CliError(`${file} cannot be read (${reasonOf(error)}): it belongs to a run`);
  }
}

/** The `run.json` of a folder. @throws CliError when it has none that this version can go on with */
export function readRun(folder: string): RunRecord {
  const record = readRunFile(path.join(folder, 'run.json')) as Partial<RunRecord> | null;
  if (record?.schemaVersion !== 1 || record.scenario === undefined || !Array.isArray(record.plan)) {
    throw new CliError(
      `${path.join(folder, 'run.json')} is not the record of a run of this version`,
    );
  }
  return record as RunRecord;
}

/** Folders of runs at or right below a folder. */
export function runFolders(folder: string): string[] {
  if (existsSync(path.join(folder, 'run.json'))) return [folder];
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name))
    .filter((candidate) => existsSync(path.join(candidate, 'run.json')));
}

/** Fields of two scenarios that differ, by name. */
export function differences(left: Scenario, right: Scenario): string[] {
  // As it is after a trip through the file: without what is undefined.
  const plain = (scenario: Scenario): Record<string, unknown> =>
    JSON.parse(JSON.stringify(scenario)) as Record<string, unknown>;
  const [a, b] = [plain(left), plain(right)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => !isDeepStrictEqual(a[key], b[key]),
  );
}

/** @throws CliError when a run of another scenario lies in the folder */
export function checkSameScenario(folder: string, recorded: Scenario, wanted: Scenario): void {
  const fields = differences(recorded, wanted);
  if (fields.length === 0) return;
  throw new CliError(
    `${folder} holds a run of another scenario: ${fields.join(', ')} differ. ` +
      'Take the same file and options as then, or begin a new run without --resume',
  );
}

/** The record of a trial that is over; undefined where it has still to be played. */
export function finishedTrial(folder: string, plan: TrialPlan): TrialRecord | undefined {
  const file = path.join(folder, plan.folder, 'trial.json');
  return existsSync(file) ? (readRunFile(file) as TrialRecord) : undefined;
}
