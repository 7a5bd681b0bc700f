import {
  chownSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionReport } from './session-report';

const isRoot = process.getuid?.() === 0;
let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'mpd-report-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const written = (file: string): string | undefined => {
  const report = createSessionReport(file);
  report.begin('/log.jsonl.gz');
  return report.write();
};

describe('the summary of a session in the app', () => {
  it('can be read by its owner only', () => {
    const file = path.join(folder, 'x.json');
    expect(written(file)).toBeUndefined();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ logFile: '/log.jsonl.gz' });
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  });

  it('replaces a link and leaves its target alone', () => {
    const victim = path.join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, path.join(folder, 'x.json'));
    expect(written(path.join(folder, 'x.json'))).toBeUndefined();
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it.skipIf(!isRoot)('is not written into a file of another user [needs root]', () => {
    const file = path.join(folder, 'x.json');
    writeFileSync(file, '', { mode: 0o644 });
    chownSync(file, 65534, 65534);
    expect(written(file)).toBeUndefined();
    expect(lstatSync(file)).toMatchObject({ uid: 0 });
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  });

  it('reports why it could not be written', () => {
    expect(written(path.join(folder, 'none/x.json'))).toMatch(/summary could not be written.*none/);
  });
});
