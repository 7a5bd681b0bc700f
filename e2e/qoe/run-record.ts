import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { playedMachineFacts } from '../../src/runner/host';
import type { RunRecord, Scenario, TrialPlan } from '../../src/scenario';

const version = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  }
).version;

/**
 * Maintains `run.json` of a scenario's folder. It lists the trials that this machine has played, so that the
 * folders of several machines can be merged without missing trials.
 */
export async function recordTrial(
  runDir: string,
  scenario: Scenario,
  plan: TrialPlan,
): Promise<void> {
  const file = path.join(runDir, 'run.json');
  let record: RunRecord;
  try {
    record = JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch {
    const startedAt = new Date().toISOString();
    const machine = await playedMachineFacts(version);
    record = { schemaVersion: 1, scenario, startedAt, machine, plan: [] };
  }
  const others = record.plan.filter(({ number }) => number !== plan.number);
  const whole = { ...record, plan: [...others, plan].sort((a, b) => a.number - b.number) };
  mkdirSync(runDir, { recursive: true });
  writeFileSync(`${file}.part`, `${JSON.stringify(whole, null, 1)}\n`);
  renameSync(`${file}.part`, file);
}
