import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playedRunsIn } from '../../transport';
import { claimRunDir } from './run-dir';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-runs-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const now = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
const NAME = '2026-01-02T03-04-05';

it('gives runs of the same second folders of their own, which are kept and deleted like others', () => {
  const claimed = [1, 2, 3].map(() => claimRunDir(now));
  expect(claimed.map((one) => path.basename(one))).toEqual([NAME, `${NAME}-2`, `${NAME}-3`]);
  for (const one of claimed) {
    expect(statSync(one).mode & 0o777).toBe(0o700);
    writeFileSync(path.join(one, 'session.jsonl.gz'), '');
  }
  expect(playedRunsIn(path.join(folder, 'runs'))).toHaveLength(3);
});

it('names a folder that cannot be created', () => {
  writeFileSync(path.join(folder, 'runs'), 'a file');
  expect(path.basename(claimRunDir(now))).toBe(NAME);
});
