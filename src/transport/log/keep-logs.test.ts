import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepLogs, playedRunsIn, sessionsIn } from './keep-logs';

const HOUR_MS = 3_600_000;
const nowMs = 100 * HOUR_MS;
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'mpd-keep-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(name: string, bytes: number, agoMs: number): void {
  const file = path.join(dir, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'x'.repeat(bytes));
  utimesSync(file, (nowMs - agoMs) / 1000, (nowMs - agoMs) / 1000);
}
const left = (): string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();

describe('sessions of the app', () => {
  const at = (hour: number): string => `session-2026-01-01T0${hour}-00-00-ab0${hour}.jsonl`;

  it('deletes the oldest with their tails until the rest fits', () => {
    put(`${at(1)}.gz`, 40, 3 * HOUR_MS);
    put(`${at(1)}.gz.tail`, 20, 3 * HOUR_MS);
    put(at(2), 60, 2 * HOUR_MS);
    put(`${at(3)}.gz`, 60, HOUR_MS);
    expect(keepLogs(sessionsIn(dir), 120, nowMs)).toBeUndefined();
    expect(left()).toEqual([at(2), `${at(3)}.gz`]);
  });

  it('keeps the playing and the newest log, however large', () => {
    put(`${at(1)}.gz`, 10, 3 * HOUR_MS);
    put(`${at(1)}.gz.tail`, 900, 1000);
    put(`${at(2)}.gz`, 900, 2 * HOUR_MS);
    keepLogs(sessionsIn(dir), 100, nowMs);
    expect(left()).toHaveLength(3);
  });

  it('deletes only files with known names', () => {
    for (const name of ['session.jsonl', 'session-mine.jsonl.gz', 'notes.txt']) {
      put(name, 900, 9 * HOUR_MS);
    }
    put(`${at(1)}.gz`, 10, HOUR_MS);
    put(`${at(2)}.gz`, 10, HOUR_MS);
    keepLogs(sessionsIn(dir), 15, nowMs);
    expect(left()).toEqual(['notes.txt', `${at(2)}.gz`, 'session-mine.jsonl.gz', 'session.jsonl']);
  });

  it('a missing folder holds nothing', () => {
    expect(keepLogs(sessionsIn(path.join(dir, 'absent')), 0, nowMs)).toBeUndefined();
  });
});

describe('runs of play', () => {
  it('are deleted with their folder; other commands’ runs and the user’s files stay', () => {
    put('2026-01-01T01-00-00/session.jsonl.gz', 50, 5 * HOUR_MS);
    put('2026-01-01T01-00-00/report.html', 50, 5 * HOUR_MS);
    put('2026-01-01T02-00-00/session.jsonl', 50, 5 * HOUR_MS);
    put('2026-01-01T03-00-00/session.jsonl.gz', 50, 5 * HOUR_MS);
    put('2026-01-01T03-00-00/notes.txt', 50, 5 * HOUR_MS);
    put('2026-01-01T04-00-00/session.jsonl.gz', 50, 5 * HOUR_MS);
    keepLogs(playedRunsIn(dir), 60, nowMs);
    expect(left()).toEqual([
      '2026-01-01T02-00-00',
      '2026-01-01T02-00-00/session.jsonl',
      '2026-01-01T03-00-00',
      '2026-01-01T03-00-00/notes.txt',
      '2026-01-01T04-00-00',
      '2026-01-01T04-00-00/session.jsonl.gz',
    ]);
  });
});
