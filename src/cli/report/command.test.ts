import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRuns } from './command';

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
