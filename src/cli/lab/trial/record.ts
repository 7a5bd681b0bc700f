import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TrialRecord } from '../../../scenario';

/** Writes `trial.json`, whole or not at all: its presence says that the trial is over. */
export function writeTrialRecord(trialDir: string, record: TrialRecord): void {
  const file = path.join(trialDir, 'trial.json');
  writeFileSync(`${file}.part`, `${JSON.stringify(record, null, 1)}\n`);
  renameSync(`${file}.part`, file);
}
