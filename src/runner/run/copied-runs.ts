import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunRecord, TrialPlan, TrialRecord } from '../../scenario';

/** A run that was read, with its folder. */
export interface OpenRun {
  folder: string;
  record: RunRecord;
}

/** Identifies a played trial wherever its folder was copied to. Undefined for one that was not played to its end. */
function identityOf(folder: string, plan: TrialPlan): string | undefined {
  try {
    const text = readFileSync(path.join(folder, plan.folder, 'trial.json'), 'utf8');
    const { startedAt, startMonotonicMs, seed } = JSON.parse(text) as Partial<TrialRecord>;
    if (typeof startedAt !== 'string' || typeof startMonotonicMs !== 'number') return undefined;
    return JSON.stringify([startedAt, startMonotonicMs, seed, plan.player, plan.trial]);
  } catch {
    return undefined;
  }
}

/**
 * Leaves out the trials that an earlier run of the list has too: a copy of a folder would count as independent trials. Of
 * a run with such trials only further finished ones remain, as of a copy that was resumed.
 * @param warn called with each folder that holds such trials
 */
export function withoutCopies(runs: readonly OpenRun[], warn: (text: string) => void): OpenRun[] {
  if (runs.length < 2) return [...runs];
  const folderOfTrial = new Map<string, string>();
  return runs.flatMap(({ folder, record }): OpenRun[] => {
    const trials = record.plan.map((plan) => ({ plan, id: identityOf(folder, plan) ?? '' }));
    const copied = trials.filter(({ id }) => folderOfTrial.has(id));
    const own = trials.filter(({ id }) => id !== '' && !folderOfTrial.has(id));
    const original = folderOfTrial.get(copied[0]?.id ?? '');
    for (const { id } of own) folderOfTrial.set(id, folder);
    if (original === undefined) return [{ folder, record }];
    warn(`${folder}: ${copied.length} of its trials are those of ${original}: they count once`);
    return own.length === 0
      ? []
      : [{ folder, record: { ...record, plan: own.map((one) => one.plan) } }];
  });
}
