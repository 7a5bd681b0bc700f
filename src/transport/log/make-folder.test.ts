import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from './make-folder';

let scratch: string;

beforeEach(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'make-folder-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

it('creates missing folders and accepts existing ones', () => {
  const folder = path.join(scratch, 'a/b/c');
  makeFolder(folder);
  makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

it('gives up on a file system without folders', () => {
  expect(() => makeFolder('/proc/no-such-folder/below')).toThrow(/ENOENT|EACCES|EPERM/);
});

it('gives up below a file', () => {
  writeFileSync(path.join(scratch, 'file'), '');
  expect(() => makeFolder(path.join(scratch, 'file/below'))).toThrow(/ENOTDIR|EEXIST/);
});
