import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  constants,
  lstatSync,
  readdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSummary, summarize } from '../../qoe';
import { syntheticLog } from '../../journal/testing/synthetic-log';
import { UserError } from './user-error';
import { checkJsonFile, summaryLines, writeJson } from './output';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cli-results-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('summaryLines', () => {
  it('has a line for every path', () => {
    const paths = [
      { id: 'wifi', rateBps: 4e6, rttMs: 30 },
      { id: 'lte', rateBps: 1e6, rttMs: 60 },
    ];
    const text = summaryLines(summarize(syntheticLog({ paths, seconds: 20 }))).join('\n');
    expect(text).toMatch(/^ {2}wifi +\d+\.\d\d MB, mean \d+\.\d\d Mbit\/s, \d+ %$/m);
    expect(text).toMatch(/^ {2}lte /m);
    expect(text).toMatch(/^ {2}played +\d+\.\d\d s$/m);
  });

  it('handles a session without events', () => {
    const empty = summaryLines(createSummary().finish());
    expect(empty.join('\n')).toMatch(/startup delay +-\n/);
    expect(empty.join('\n')).not.toMatch(/NaN|undefined|null/);
  });
});

describe('writeJson', () => {
  it('rounds to thousandths and ends with a line feed', () => {
    const file = path.join(folder, 'x.json');
    writeJson(file, { a: 1.23456, b: null, c: ['x'] });
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toEqual({ a: 1.235, b: null, c: ['x'] });
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('keeps a private file private', () => {
    const file = path.join(folder, 'x.json');
    writeFileSync(file, '', { mode: 0o600 });
    writeJson(file, {});
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  });

  it('leaves a file of the same name with the ending .part', () => {
    const own = path.join(folder, 'x.json.part');
    writeFileSync(own, 'mine');
    writeJson(path.join(folder, 'x.json'), {});
    expect(readdirSync(folder).sort()).toEqual(['x.json', 'x.json.part']);
    expect(readFileSync(own, 'utf8')).toBe('mine');
  });

  it('replaces a symbolic link and leaves its target alone', () => {
    const victim = path.join(folder, 'victim');
    const link = path.join(folder, 'link.json');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, link);
    writeJson(link, {}, 0o600);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(lstatSync(link).isFile()).toBe(true);
    expect(lstatSync(link).mode & 0o777).toBe(0o600);
  });
});

describe('a file of --json that is none', () => {
  const isRoot = process.getuid?.() === 0;
  const fifo = (): string => {
    const file = path.join(folder, 'pipe');
    execFileSync('mkfifo', [file]);
    return file;
  };

  it('takes the text if it is a pipe of this user, and stays one', async () => {
    const file = fifo();
    const reader = spawn('cat', [file], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    reader.stdout.on('data', (part: Buffer) => (text += String(part)));
    checkJsonFile(file);
    writeJson(file, { a: 1 });
    await new Promise((resolve) => reader.once('close', resolve));
    expect(JSON.parse(text)).toEqual({ a: 1 });
    expect(lstatSync(file).isFIFO()).toBe(true);
  });

  it.skipIf(!isRoot)('gets nothing if it is a pipe of another user [needs root]', () => {
    const file = fifo();
    chownSync(file, 65534, 65534);
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      expect(() => writeJson(file, {})).toThrow(
        /pipe cannot be written \(it belongs to user 65534/,
      );
      expect(readFileSync(reader, 'utf8')).toBe('');
    } finally {
      closeSync(reader);
    }
  });

  it('is refused before a run if it is neither a file nor a device', () => {
    expect(() => checkJsonFile(folder)).toThrow(/neither a file nor a pipe/);
    expect(() => writeJson(folder, {})).toThrow(UserError);
  });

  it('is replaced if it is a link to a device or a pipe', () => {
    const link = path.join(folder, 'link.json');
    symlinkSync(fifo(), link);
    writeJson(link, { a: 1 });
    expect(lstatSync(link).isFile()).toBe(true);
    expect(JSON.parse(readFileSync(link, 'utf8'))).toEqual({ a: 1 });
  });

  it('is written in place if it is a descriptor of this process', () => {
    const file = path.join(folder, 'x');
    const fd = openSync(file, 'w');
    for (const name of [`/dev/fd/${fd}`, `/proc/self/fd/${fd}`]) {
      checkJsonFile(name);
      writeJson(name, { a: 1 });
    }
    closeSync(fd);
    expect(readFileSync(file, 'utf8')).toBe('{\n  "a": 1\n}\n'.repeat(2));
    checkJsonFile('/dev//null');
    writeJson('/dev//null', {});
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('checkJsonFile', () => {
  it('accepts standard output, new files and existing ones', () => {
    const file = path.join(folder, 'x.json');
    checkJsonFile('-');
    checkJsonFile(file);
    writeJson(file, {});
    checkJsonFile(file);
  });

  it('refuses a missing folder and names the file', () => {
    const file = path.join(folder, 'none', 'x.json');
    expect(() => checkJsonFile(file)).toThrow(UserError);
    expect(() => checkJsonFile(file)).toThrow(file);
  });
});
