import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogError, openJsonlLog, parseLog, readLog } from '.';
import { configEvent, stallEvent } from '../../session-log/testing/events';

const config = configEvent({ url: 'http://x/' });

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'mpd-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('openJsonlLog', () => {
  it('each line is in the file when write returns, and reads back', async () => {
    const file = path.join(dir, 'new', 'session.jsonl');
    const log = openJsonlLog(file);
    log.write(config);
    expect(readLog(file)).toEqual({ events: [config], errors: [] });
    log.write(stallEvent(2));
    expect(readLog(file).events).toEqual([config, stallEvent(2)]);
    await log.close();
    await log.close();
    log.write(stallEvent(3));
    expect(readLog(file).events).toHaveLength(2);
  });

  it('refuses a place that is not writable at once, by name', () => {
    writeFileSync(path.join(dir, 'file'), '');
    const file = path.join(dir, 'file', 'session.jsonl');
    expect(() => openJsonlLog(file)).toThrow(LogError);
    expect(() => openJsonlLog(file)).toThrow(`${file} cannot be written`);
  });

  it('a full disk is reported once and ends the log, not the player', async () => {
    const errors: LogError[] = [];
    const log = openJsonlLog('/dev/full', { onError: (error) => errors.push(error) });
    log.write(config);
    log.write(stallEvent(2));
    expect(errors.map((error) => error.code)).toEqual(['LOG_WRITE_FAILED']);
    expect(errors[0]?.message).toMatch(/ENOSPC/);
    await log.close();
  });
});

describe('parseLog', () => {
  const lines = [config, stallEvent(2), stallEvent(3)].map((event) => JSON.stringify(event));

  it('accepts every possible cut of the last line', () => {
    const whole = `${lines.join('\n')}\n`;
    const lastStart = whole.length - (lines[2] ?? '').length - 1;
    for (let length = lastStart + 1; length < whole.length; length += 1) {
      const read = parseLog(whole.slice(0, length), 'x.jsonl');
      expect(read.errors).toEqual([]);
      expect(read.tornLine).toBe(3);
      expect(read.events.length).toBe(length === whole.length - 1 ? 3 : 2);
    }
  });

  it('names file, line and field of every other bad line and keeps the good ones', () => {
    const bad = JSON.stringify({ type: 'stall', monotonicMs: -1, phase: 'start' });
    const read = parseLog([lines[0], 'nonsense', bad, lines[1], ''].join('\n'), 'x.jsonl');
    expect(read.events).toEqual([config, stallEvent(2)]);
    expect(read.errors).toMatchObject([
      { file: 'x.jsonl', line: 2, message: 'x.jsonl:2: line: not JSON' },
      { file: 'x.jsonl', line: 3 },
    ]);
    expect(read.errors[1]?.message).toMatch(/^x\.jsonl:3: monotonicMs: /);
    expect(read.tornLine).toBeUndefined();
  });

  it('a log must begin with its configuration', () => {
    const read = parseLog(`${lines[1] ?? ''}\n`, 'x.jsonl');
    expect(read.errors[0]?.message).toMatch(/first event must be config, found stall/);
  });

  it('a configuration of another version is the only thing wrong with its log', () => {
    const config = (lines[0] ?? '').replace('"schemaVersion":1', '"schemaVersion":99');
    const read = parseLog(`${config}\n${lines[1] ?? ''}\n`, 'x.jsonl');
    expect(read.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^x\.jsonl:1: schemaVersion: /),
    ]);
    expect(read.otherVersion).toBe(99);
  });

  it('reads only the first of two sessions in one file, and names the line of the second', () => {
    const read = parseLog([...lines, ...lines, ''].join('\n'), 'x.jsonl');
    expect(read.events).toEqual([config, stallEvent(2), stallEvent(3)]);
    expect(read.errors).toMatchObject([{ line: 4 }]);
    expect(read.errors[0]?.message).toMatch(/^x\.jsonl:\d+: type: a second session begins here/);
  });

  it('refuses a log of another version whole: its events may mean something else', () => {
    const file = path.join(dir, 'newer.jsonl');
    const config = (lines[0] ?? '').replace('"schemaVersion":1', '"schemaVersion":99');
    writeFileSync(file, `${config}\n${lines[1] ?? ''}\n`);
    expect(() => readLog(file)).toThrow(/newer\.jsonl has schema version 99, this program reads 1/);
  });

  it('an empty log is empty', () => {
    expect(parseLog('', 'x.jsonl')).toEqual({ events: [], errors: [] });
  });

  it('names a log that cannot be read', () => {
    expect(() => readLog(path.join(dir, 'absent.jsonl'))).toThrow(/absent\.jsonl cannot be read/);
  });
});
