import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Scenario, TrialPlan } from '../../scenario';
import { lockFolder } from './resume-lock';
import { checkRoom, checkSameScenario, finishedTrial, makeRunFolder, writeRunFile } from './resume';
import { readRun, runFolders, runsIn } from './run-record';
import { run } from './run';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mpd-resume-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const scenario = {
  name: 'pair',
  trials: 3,
  players: [{ id: 'a' }],
  topology: { paths: [], links: [] },
} as unknown as Scenario;

it('refuses to play failed trials again where no run is resumed', async () => {
  await expect(run([], { retryFailed: true }, '1.2.3')).rejects.toThrow(/add --resume DIR/);
});

describe('the folder of a run', () => {
  it('is refused if it is not writable', () => {
    writeFileSync(path.join(dir, 'file'), '');
    expect(() => makeRunFolder(path.join(dir, 'file', 'run'))).toThrow(/cannot be written.*--out/);
    expect(() => makeRunFolder(path.join(dir, 'file'))).toThrow(/it is no folder/);
    expect(() => writeRunFile(path.join(dir, 'none', 'x'), '', '--resume D')).toThrow(
      /Finished trials are kept: .*--resume D/,
    );
    expect(() => makeRunFolder('/proc/run')).toThrow(/cannot be written.*--out/);
    expect(() => checkRoom('/proc', '--resume D')).toThrow('0 MB are free');
  });

  it.skipIf(process.getuid?.() !== 0)('is refused if it is of another user [needs root]', () => {
    const folder = path.join(dir, 'theirs');
    mkdirSync(folder);
    chownSync(folder, 65534, 65534);
    expect(() => makeRunFolder(folder)).toThrow(/belongs to user 65534/);
    expect(() => makeRunFolder(path.join(folder, 'new'))).toThrow(/belongs to user 65534/);
    vi.stubEnv('MULTIPATH_DASH_TRUSTED_UID', '65534');
    makeRunFolder(folder);
    vi.unstubAllEnvs();
    const link = path.join(dir, 'link');
    symlinkSync(dir, link);
    lchownSync(link, 65534, 65534);
    expect(() => makeRunFolder(path.join(link, 'run'))).toThrow(/link belongs to user 65534/);
  });

  it('is refused if everybody may write it or a folder above, and not if a group may', () => {
    const folder = path.join(dir, 'shared/run');
    makeRunFolder(folder);
    mkdirSync(path.join(dir, 'plain'));
    expect(statSync(folder).mode).toBe(statSync(path.join(dir, 'plain')).mode);
    chmodSync(path.dirname(folder), 0o2775);
    makeRunFolder(folder);
    for (const mode of [0o777, 0o757]) {
      chmodSync(path.dirname(folder), mode);
      expect(() => makeRunFolder(folder)).toThrow(/shared can be written by everybody/);
    }
    chmodSync(folder, 0o1777);
    expect(() => makeRunFolder(folder)).toThrow(/can be written by everybody/);
  });

  it('is refused if its record names another folder for a trial', () => {
    const of = (folder: string): void => {
      const plan = [{ number: 1, player: 'a', trial: 1, seed: 1, folder }];
      const whole = { ...scenario, topology: { paths: [], links: [] } };
      const record = { schemaVersion: 1, scenario: whole, plan };
      writeFileSync(path.join(dir, 'run.json'), JSON.stringify(record));
    };
    for (const folder of [
      'trials',
      'trials/Documents',
      'trials/1-a/..',
      '../1-a',
      'trials/1-a/b',
    ]) {
      of(folder);
      expect(() => readRun(dir), folder).toThrow('plan.0.folder: not the folder of a trial');
    }
    of('trials/1-bola@wifi');
    expect(readRun(dir).plan).toHaveLength(1);
  });

  it('is for one run at a time', () => {
    const release = lockFolder(dir);
    expect(() => lockFolder(dir)).toThrow('another run is at work');
    release();
    lockFolder(dir)();
  });

  it('resumes only with the same scenario', () => {
    const record = { schemaVersion: 1, scenario, plan: [] };
    writeFileSync(path.join(dir, 'run.json'), JSON.stringify(record));
    const { scenario: recorded } = readRun(dir);
    checkSameScenario(dir, recorded, { ...scenario, metered: undefined } as unknown as Scenario);
    expect(() => checkSameScenario(dir, recorded, { ...scenario, trials: 4, seed: 2 })).toThrow(
      'trials, seed differ',
    );
  });

  it('is refused if its record is truncated or of another kind', () => {
    writeFileSync(path.join(dir, 'run.json'), '{"schemaVersion": 1, ');
    expect(() => readRun(dir)).toThrow('cannot be read');
    writeFileSync(path.join(dir, 'run.json'), 'null');
    expect(() => readRun(dir)).toThrow('not the record of a run');
  });

  it('distinguishes finished trials from interrupted ones', () => {
    const plan = (folder: string): TrialPlan => ({
      number: 1,
      player: 'a',
      trial: 1,
      seed: 1,
      folder,
    });
    for (const name of ['1-a', '2-b'])
      mkdirSync(path.join(dir, 'trials', name), { recursive: true });
    writeFileSync(path.join(dir, 'trials/1-a/trial.json'), '{"outcome": "failed"}');
    writeFileSync(path.join(dir, 'trials/2-b/session.jsonl'), '');
    expect(finishedTrial(dir, plan('trials/1-a'))?.outcome).toBe('failed');
    expect(finishedTrial(dir, plan('trials/2-b'))).toBeUndefined();
  });

  it('may contain the runs of several scenarios', () => {
    for (const name of ['b', 'a', 'no-run']) mkdirSync(path.join(dir, name));
    for (const name of ['b', 'a']) writeFileSync(path.join(dir, name, 'run.json'), '{}');
    expect(runFolders(dir)).toEqual([path.join(dir, 'a'), path.join(dir, 'b')]);
    expect(runFolders(path.join(dir, 'a'))).toEqual([path.join(dir, 'a')]);
    expect(runFolders(path.join(dir, 'none'))).toEqual([]);
    expect(runFolders(path.join(dir, 'a/run.json'))).toEqual([]);
    const none = path.join(dir, 'no-run');
    expect(runsIn([dir, none])).toEqual([path.join(dir, 'a'), path.join(dir, 'b'), none]);
  });
});

it('refuses to resume a missing folder, before anything is created', async () => {
  const absent = path.join(dir, 'absent');
  await expect(run(['decisions/two-similar'], { resume: absent }, '0')).rejects.toMatchObject({
    message: `--resume ${absent}: there is no such folder`,
    exitCode: 2,
  });
  expect(existsSync(absent)).toBe(false);
});

it('refuses to resume a folder without a run, and writes nothing there', async () => {
  writeFileSync(path.join(dir, 'notes.txt'), '');
  for (const targets of [[], ['two-similar-paths']]) {
    await expect(run(targets, { resume: dir }, '0')).rejects.toMatchObject({
      message: `${dir}: there is no run in it (run.json)`,
      exitCode: 2,
    });
  }
  expect(readdirSync(dir)).toEqual(['notes.txt']);
});
