import {
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogError, logEnding, logFormats, openLog, readLog, tailFileOf } from '.';
import { configEvent, stallEvent } from '../../session-log/testing/events';

const config = configEvent();

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'mpd-put-back-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe.each(logFormats)('a %s log', (format) => {
  const open = (notes: string[] = [], errors: string[] = []) => {
    const file = path.join(dir, 'run', `session${logEnding(format)}`);
    const log = openLog(file, format, {
      onNote: (note) => notes.push(note),
      onError: (error) => errors.push(error.message),
    });
    return { file, log };
  };

  it.each(['deleted', 'moved'])(
    'whose folder is %s is written again completely, and this is reported',
    async (how) => {
      const notes: string[] = [];
      const { file, log } = open(notes);
      log.write(config);
      for (let at = 1; at < 500; at += 1) log.write(stallEvent(at));
      if (how === 'moved') renameSync(path.dirname(file), path.join(dir, 'elsewhere'));
      else rmSync(path.dirname(file), { recursive: true });
      log.write(stallEvent(500));
      log.write(stallEvent(501));
      await log.close();
      const { events, errors, tornLine } = readLog(file);
      expect([errors, tornLine]).toEqual([[], undefined]);
      expect(events).toEqual([
        config,
        ...Array.from({ length: 501 }, (_, at) => stallEvent(at + 1)),
      ]);
      expect(notes).toEqual([
        `${file} was deleted or moved while it was written; it is back, whole`,
      ]);
    },
  );

  it('never overwrites a file that another process put in its place', () => {
    const errors: string[] = [];
    const { file, log } = open([], errors);
    log.write(config);
    rmSync(path.dirname(file), { recursive: true });
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'not ours');
    log.write(stallEvent(1));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/EEXIST/);
    expect(statSync(file).size).toBe('not ours'.length);
  });

  it.each(['symbolic', 'hard', 'dangling'])(
    'writes to no file that a %s link of a shared folder leads to',
    async (kind) => {
      const target = path.join(dir, 'target');
      if (kind !== 'dangling') writeFileSync(target, 'not a log');
      const file = path.join(dir, `session${logEnding(format)}`);
      // A compact log is a new file; its tail could be there already.
      const named = format === 'plain' ? file : tailFileOf(file);
      if (kind === 'hard') linkSync(target, named);
      else symlinkSync(target, named);
      try {
        const log = openLog(file, format);
        log.write(config);
        await log.close();
        expect(readLog(file).events).toEqual([config]);
      } catch (error) {
        expect(error).toBeInstanceOf(LogError);
        expect(String(error)).toMatch(/is a symbolic link|has another name too/);
      }
      if (kind === 'dangling') expect(statSync(target, { throwIfNoEntry: false })).toBeUndefined();
      else expect(readFileSync(target, 'utf8')).toBe('not a log');
    },
  );

  it.runIf(process.getuid?.() === 0)('writes to no file of another user, who could read it', () => {
    const file = path.join(dir, `session${logEnding(format)}`);
    writeFileSync(file, '');
    chownSync(file, 12_345, 12_345);
    expect(() => openLog(file, format)).toThrow(LogError);
    expect(statSync(file).size).toBe(0);
  });

  it('is for its owner only, as is the folder it created', async () => {
    const { file, log } = open();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    await log.close();
  });
});
