import path from 'node:path';
import type { TrialRecord } from '../../scenario';
import { writeWhole } from '../host';

/** Writes `trial.json`, completely or not at all: its presence means that the trial is over. */
export function writeTrialRecord(trialDir: string, record: TrialRecord): void {
  writeWhole(path.join(trialDir, 'trial.json'), `${JSON.stringify(record, null, 1)}\n`);
}
