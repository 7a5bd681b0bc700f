import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunRecord, TrialPlan } from '../../scenario';
import { withoutCopies, type OpenRun } from './copied-runs';

let dir = '';
let warnings: string[] = [];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mpd-copies-'));
  warnings = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

const plan = [1, 2, 3].map((trial): TrialPlan => ({
  ...{ number: trial, player: 'a', trial, seed: trial, folder: `trials/${trial}-a` },
}));
const open = (name: string): OpenRun => ({
  folder: path.join(dir, name),
  record: { plan } as unknown as RunRecord,
});

function play(name: string, trial: number, startMonotonicMs: number): void {
  const folder = path.join(dir, name, `trials/${trial}-a`);
  mkdirSync(folder, { recursive: true });
  const record = { startedAt: '2026-01-01T00:00:00Z', startMonotonicMs, seed: trial };
  writeFileSync(path.join(folder, 'trial.json'), JSON.stringify(record));
}

const counted = (...names: string[]): Record<string, number[]> =>
  Object.fromEntries(
    withoutCopies(names.map(open), (text) => warnings.push(text)).map(({ folder, record }) => [
      path.basename(folder),
      record.plan.map(({ trial }) => trial),
    ]),
  );

it('a copy of a run does not count, with a warning that names both folders', () => {
  play('one', 1, 1000.5);
  play('one', 2, 2000.5);
  cpSync(path.join(dir, 'one'), path.join(dir, 'copy'), { recursive: true });
  expect(counted('one', 'copy')).toEqual({ one: [1, 2, 3] });
  expect(warnings).toEqual([
    `${dir}/copy: 2 of its trials are those of ${dir}/one: they count once`,
  ]);
});

it('of a copy that was resumed the further trials count', () => {
  play('one', 1, 1000.5);
  cpSync(path.join(dir, 'one'), path.join(dir, 'copy'), { recursive: true });
  play('copy', 2, 2000.5);
  expect(counted('one', 'copy')).toEqual({ one: [1, 2, 3], copy: [2] });
});

it('another run of the same scenario and seeds counts, also one without a finished trial', () => {
  play('one', 1, 1000.5);
  play('two', 1, 9000.5);
  expect(counted('one', 'two', 'begun', 'begun too')).toEqual({
    ...{ one: [1, 2, 3], two: [1, 2, 3], begun: [1, 2, 3], 'begun too': [1, 2, 3] },
  });
  expect(warnings).toEqual([]);
});
