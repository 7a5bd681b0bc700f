import { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addReportCommand, holdsLabRuns, readRuns, writeReport } from './command';

const line = JSON.stringify({ type: 'end', monotonicMs: 1, reason: 'closed' });
let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'mpd-report-')), 'evening');
  mkdirSync(folder);
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const names = (target: string): string[] => readRuns(target).map(({ name }) => name);

test('a run is called after its folder, whether the folder or its log is named', () => {
  writeFileSync(path.join(folder, 'session.jsonl'), `${line}\n`);
  expect(names(folder)).toEqual(['evening']);
  expect(names(path.join(folder, 'session.jsonl'))).toEqual(['evening']);
  expect(names(path.dirname(folder))).toEqual(['evening']);
});

test('a file that is no session log is refused', () => {
  const file = path.join(folder, 'package.json');
  writeFileSync(file, '{\n}\n');
  expect(() => readRuns(file)).toThrow('package.json is no session log');
});

test('a report is for its owner only, and overwrites nothing that a link of the folder leads to', () => {
  writeFileSync(path.join(folder, 'session.jsonl'), `${line}\n`);
  const target = path.join(path.dirname(folder), 'target');
  writeFileSync(target, 'not a report');
  const written = ['report.html', 'summary.json'].map((name) => path.join(folder, name));
  for (const file of written) symlinkSync(target, file);
  writeReport(folder);
  expect(readFileSync(target, 'utf8')).toBe('not a report');
  for (const file of written) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).size).toBeGreaterThan(20);
  }
});

test('a named pipe among the logs is passed over', () => {
  writeFileSync(path.join(folder, 'session.jsonl'), `${line}\n`);
  execFileSync('mkfifo', [path.join(folder, 'a.jsonl')]);
  expect(names(folder)).toEqual(['evening']);
});

test('sessions whose names differ only by a separator have an export each', async () => {
  for (const run of ['a/b', 'a_b']) {
    mkdirSync(path.join(folder, run), { recursive: true });
    writeFileSync(path.join(folder, run, 'session.jsonl'), `${line}\n`);
  }
  const program = new Command().exitOverride();
  addReportCommand(program);
  const out = path.join(folder, 'out');
  await program.parseAsync(['report', folder, '--csv', '--out', out], { from: 'user' });
  const exports = readdirSync(out).filter((name) => name.endsWith('.csv'));
  expect(exports.sort()).toEqual(['a_b-2.transport.csv', 'a_b.transport.csv']);
});

test('a folder of runs may hold other files and an empty log', () => {
  for (const name of [
    'sweep/jobs.jsonl',
    'soak/samples.jsonl',
    'killed/session.jsonl',
    'good/session.jsonl',
  ]) {
    mkdirSync(path.join(folder, path.dirname(name)));
    const text = name.startsWith('good')
      ? `${line}\n`
      : name.startsWith('killed')
        ? ''
        : '{"key":"a"}\n';
    writeFileSync(path.join(folder, name), text);
  }
  expect(names(folder)).toEqual(['good']);
  expect(() => readRuns(path.join(folder, 'killed'))).toThrow('it has no event of a session');
});

test('a log of another schema version is refused, and passed over beside others', () => {
  const config = { type: 'config', monotonicMs: 0, schemaVersion: 99, newField: true };
  const newer = path.join(folder, 'newer');
  mkdirSync(newer);
  writeFileSync(path.join(newer, 'session.jsonl'), `${JSON.stringify(config)}\n${line}\n`);
  expect(() => readRuns(newer)).toThrow('has schema version 99, this program reads 1');
  mkdirSync(path.join(folder, 'good'));
  writeFileSync(path.join(folder, 'good/session.jsonl'), `${line}\n`);
  expect(names(folder)).toEqual(['good']);
});

test('runs of the lab are told from sessions, also several in one folder', () => {
  const write = (name: string, text: string): void => {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  expect(holdsLabRuns(folder)).toBe(false);
  for (const name of ['one', 'two']) {
    write(`${name}/run.json`, '{}');
    write(`${name}/trials/1-a/session.jsonl`, `${line}\n`);
  }
  expect(holdsLabRuns(path.join(folder, 'one'))).toBe(true);
  expect(holdsLabRuns(`${folder}/`)).toBe(true);
  expect(holdsLabRuns(path.join(folder, 'one/trials/1-a/session.jsonl'))).toBe(false);
  write('evening/session.jsonl', `${line}\n`);
  expect(holdsLabRuns(folder)).toBe(false);
});
