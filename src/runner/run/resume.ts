import { existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { errorText } from '../../core';
import { currentRunner, trustOf } from '../../lab';
import type { Scenario, TrialPlan, TrialRecord } from '../../scenario';
import {
  makeOutFolder,
  packageRoot,
  TRUSTED_UID_VARIABLE,
  UserError,
  usersBehindRoot,
  writeWhole,
} from '../host';
import { SHARED_FOLDER } from '../../transport';
import { readRunFile } from './run-record';

/** A trial's logs take a few MB. Below this free space a run stops before it writes a partial one. */
const MIN_FREE_BYTES = 50e6;

/**
 * The files of a run decide what its resumption removes and writes, so nobody else may exchange them, or the folder,
 * meanwhile. What a group may write is trusted: runs are shared that way. So is the owner of this package, whose code runs
 * already.
 */
function checkTrust(folder: string): void {
  const alsoUids = [...usersBehindRoot(), statSync(packageRoot()).uid];
  const { problem } = trustOf(folder, { ...currentRunner(), alsoUids, trustsGroups: true });
  if (problem === undefined) return;
  throw new UserError(
    `${folder} is not used, because another user could change the run: ${problem}. Choose another folder with --out, or copy ` +
      `the run. If that user is yours, say so with ${TRUSTED_UID_VARIABLE}=NUMBER`,
  );
}

/**
 * Creates the folder of a run.
 * @param mode of a new one. By default others may read it: it shows no user's own session, and a user reads the runs of
 * his root
 * @throws UserError if it cannot be written, or if another user could change it
 */
export function makeRunFolder(folder: string, mode = SHARED_FOLDER): void {
  makeOutFolder(folder, mode);
  checkTrust(folder);
}

/** @throws UserError if there is too little space for another trial */
export function checkRoom(folder: string, resumeWith: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= MIN_FREE_BYTES) return;
  throw new UserError(
    `${folder}: only ${((bavail * bsize) / 1e6).toFixed(0)} MB are free, too little for a trial. ` +
      `Finished trials are kept: make room and go on with ${resumeWith}`,
  );
}

/** Writes a file of a run completely or not at all. @throws UserError */
export function writeRunFile(file: string, content: string, resumeWith: string): void {
  keepingRun(file, resumeWith, () => writeWhole(file, content));
}

/** Writes a file of a run. @throws UserError that names the file and how to go on */
export function keepingRun(file: string, resumeWith: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw new UserError(
      `${file} cannot be written: ${full ? 'the disk is full. ' : `${errorText(error)}. `}` +
        `Finished trials are kept: mend it and go on with ${resumeWith}`,
    );
  }
}

/** Fields of two scenarios that differ, by name. */
export function differences(left: Scenario, right: Scenario): string[] {
  // The value after a round trip through the file: without undefined fields.
  const plain = (scenario: Scenario): Record<string, unknown> =>
    JSON.parse(JSON.stringify(scenario)) as Record<string, unknown>;
  const [a, b] = [plain(left), plain(right)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => !isDeepStrictEqual(a[key], b[key]),
  );
}

/** @throws UserError if the folder contains a run of another scenario */
export function checkSameScenario(folder: string, recorded: Scenario, wanted: Scenario): void {
  const fields = differences(recorded, wanted);
  if (fields.length === 0) return;
  throw new UserError(
    `${folder} holds a run of another scenario: ${fields.join(', ')} differ. ` +
      'Take the same file and options as then, or begin a new run without --resume',
  );
}

/** The record of a finished trial. Undefined if it must still be played. */
export function finishedTrial(folder: string, plan: TrialPlan): TrialRecord | undefined {
  const file = path.join(folder, plan.folder, 'trial.json');
  return existsSync(file) ? (readRunFile(file) as TrialRecord) : undefined;
}
