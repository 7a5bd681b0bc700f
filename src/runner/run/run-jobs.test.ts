import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PreparedMedia } from '../../lab';
import type { RunRecord, Scenario } from '../../scenario';
import { runFolders } from './run-record';
import { hasFailedTrial, jobsOf, prepareJobs, type Job } from './run-jobs';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mpd-jobs-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function jobOf(name: string): Job {
  const scenario = { name } as unknown as Scenario;
  const trial = { number: 1, player: 'a', trial: 1, seed: 1, folder: 'trials/1-a' };
  const record: RunRecord = {
    schemaVersion: 1,
    scenario,
    startedAt: '',
    machine: {},
    plan: [trial],
  };
  return { folder: path.join(dir, name), record, source: { text: '', files: new Map() } };
}

/** Makes the media of the scenario `a` only. */
const failingMedia =
  (before: () => void) =>
  ({ name }: Scenario): Promise<PreparedMedia> => {
    if (name === 'a') return Promise.resolve({} as PreparedMedia);
    before();
    return Promise.reject(new Error('no media'));
  };

it('leaves every run to be resumed when an abort ends the media of one', async () => {
  const abort = new AbortController();
  const media = failingMedia(() => abort.abort());
  const jobs = [jobOf('a'), jobOf('b'), jobOf('c')];
  await expect(prepareJobs(jobs, '', abort.signal, media)).rejects.toThrow('no media');
  expect(runFolders(dir)).toEqual(jobs.map(({ folder }) => folder));
});

it('leaves no new run when media cannot be made', async () => {
  const media = failingMedia(() => undefined);
  const { signal } = new AbortController();
  await expect(prepareJobs([jobOf('a'), jobOf('b')], '', signal, media)).rejects.toThrow(
    'no media',
  );
  expect(runFolders(dir)).toEqual([]);
});

it('refuses one scenario where several are, and the reverse', async () => {
  mkdirSync(path.join(dir, 'a'));
  writeFileSync(path.join(dir, 'a/run.json'), '{}');
  const one = ['two-similar-paths'];
  await expect(jobsOf(one, dir, { resume: dir }, '0')).rejects.toThrow(
    `${dir} holds runs of several scenarios: resume it without naming a file`,
  );
  writeFileSync(path.join(dir, 'run.json'), '{}');
  await expect(jobsOf([...one, 'shared-downloads'], dir, { out: dir }, '0')).rejects.toThrow(
    `${dir} holds the run of one scenario`,
  );
});

it.each(['experiment.json', 'jobs.jsonl'])(
  'refuses the folder of an experiment, which %s shows',
  async (name) => {
    writeFileSync(path.join(dir, name), '{}');
    for (const names of [['two-similar-paths'], ['two-similar-paths', 'shared-downloads']]) {
      await expect(jobsOf(names, dir, { out: dir }, '0')).rejects.toThrow(
        `${dir} holds an experiment already (${name}): choose another folder with --out`,
      );
    }
  },
);

it('finds a failed trial of an earlier call', () => {
  const job = jobOf('a');
  expect(hasFailedTrial([job])).toBe(false);
  const folder = path.join(job.folder, 'trials/1-a');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'trial.json'), '{"outcome":"failed"}');
  expect(hasFailedTrial([job])).toBe(true);
});
