import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobRecord } from './job-record';
import { KeptRun, keptOutcomes, readKept } from './kept-file';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'kept-test-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

const file = (): string => path.join(dir, 'results', 'squares.jsonl.gz');
const jobs = [1, 2, 3].map((value) => ({ key: `square/${value}`, value }));
const record: JobRecord<{ seed: number }> = {
  schemaVersion: 1,
  experiment: 'squares',
  options: { seed: 1 },
  startedAt: '2026-01-01T00:00:00.000Z',
  machine: { program: '1.2.3' },
  jobs: 3,
  plan: 'x',
};

/** A run that finishes some jobs and fails at another. */
function finish(plan = jobs, of = record, ...keys: string[]): KeptRun {
  const kept = new KeptRun(file(), of, plan);
  for (const key of keys) kept.add({ key, tookMs: 5, outcome: { of: key } });
  kept.add({ key: 'square/3', tookMs: 5, error: 'no luck' });
  kept.write();
  return kept;
}

const keptKeys = (): string[] => readKept(file(), 'squares')?.lines.map(({ key }) => key) ?? [];

describe('kept results', () => {
  it('are the outcomes in the order of the plan, without failures, and the run they belong to', () => {
    finish(jobs, record, 'square/2', 'square/1');
    const kept = readKept<{ seed: number }>(file(), 'squares');
    expect(kept?.header.options).toEqual({ seed: 1 });
    expect(kept?.lines.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['square/1', { of: 'square/1' }],
      ['square/2', { of: 'square/2' }],
    ]);
  });

  it('have the date of the first of several runs, and the same bytes for the same results', () => {
    finish(jobs, record, 'square/1');
    const before = readFileSync(file());
    finish(jobs, { ...record, startedAt: '2027-01-01T00:00:00.000Z' }, 'square/1');
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it('grow with each run', () => {
    finish(jobs, record, 'square/2');
    expect(finish(jobs, record).lines.map(({ key }) => key)).toEqual(['square/2']);
    finish(jobs, record, 'square/1');
    expect(keptKeys()).toEqual(['square/1', 'square/2']);
  });

  it('are written once a minute: a killed run loses no more', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const kept = new KeptRun(file(), record, jobs);
    kept.add({ key: 'square/1', tookMs: 5, outcome: 1 });
    expect(keptKeys()).toEqual([]);
    now.mockReturnValue(61_000);
    kept.add({ key: 'square/2', tookMs: 5, outcome: 4 });
    expect(keptKeys()).toEqual(['square/1', 'square/2']);
  });

  it('remain valid when the plan grows, and are refused when it changes or drops a job', () => {
    finish(jobs, record, 'square/1', 'square/2');
    finish([...jobs, { key: 'square/4', value: 4 }], record, 'square/4');
    expect(keptKeys()).toEqual(['square/1', 'square/2', 'square/4']);
    const lines = (readKept(file(), 'squares')?.lines ?? []).slice(0, 2);
    const changed = jobs.map((job) => (job.value === 2 ? { ...job, value: 20 } : job));
    expect(() => keptOutcomes(file(), lines, changed)).toThrow(/plans the job square\/2 otherwise/);
    expect(() => keptOutcomes(file(), lines, jobs.slice(1))).toThrow(/square\/1 no longer/);
  });

  it('are named by file and line where they are broken', () => {
    expect(readKept(file(), 'squares')).toBeUndefined();
    finish(jobs, record, 'square/1');
    expect(() => readKept(file(), 'roots')).toThrow(/no results of the experiment roots/);
    const text = gunzipSync(readFileSync(file())).toString();
    writeFileSync(file(), gzipSync(`${text}{"key":1}\n`));
    expect(() => readKept(file(), 'squares')).toThrow(/gz:3: this line is no result/);
    writeFileSync(file(), 'no gzip');
    expect(() => readKept(file(), 'squares')).toThrow(/cannot be read/);
  });
});
