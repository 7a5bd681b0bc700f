import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutJobLog, JobLog, readJobLog, type JobLine } from './job-log';

let dir = '';
let file = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'job-log-test-'));
  file = path.join(dir, 'jobs.jsonl');
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function read(): Promise<{ lines: JobLine[]; brokenAt: number | undefined }> {
  const lines: JobLine[] = [];
  let brokenAt: number | undefined;
  await readJobLog(file, {
    onLine: (line) => void lines.push(line),
    onBroken: (at) => {
      brokenAt = at;
    },
  });
  return { lines, brokenAt };
}

const done = (key: string, outcome: unknown = 1): JobLine => ({ key, tookMs: 2, outcome });

describe('the log of finished jobs', () => {
  it('returns each added job, one line a job, at once', async () => {
    const jobLog = new JobLog(file);
    jobLog.add(done('a', { text: 'über\nzwei Zeilen' }));
    jobLog.add({ key: 'b', tookMs: 0, error: 'no' });
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
    jobLog.close();
    const { lines } = await read();
    expect(lines).toEqual([
      done('a', { text: 'über\nzwei Zeilen' }),
      { key: 'b', tookMs: 0, error: 'no' },
    ]);
  });

  it('reads lines longer than a chunk of the file', async () => {
    const long = 'x'.repeat(200_000);
    writeFileSync(file, `${JSON.stringify(done('a', long))}\n${JSON.stringify(done('b'))}\n`);
    expect((await read()).lines).toEqual([done('a', long), done('b')]);
  });

  it.each([
    ['cut in its middle', '{"key":"b","tookMs":1,"outc'],
    ['without its end', JSON.stringify(done('b'))],
    ['of zeros, after a power cut', '\0\0\0\n'],
  ])('leaves out a last line %s, and goes on behind the whole ones', async (_, rest) => {
    writeFileSync(file, `${JSON.stringify(done('ä'))}\n${rest}`);
    const { lines, brokenAt } = await read();
    expect(lines).toEqual([done('ä')]);
    cutJobLog(file, brokenAt ?? 0);
    const jobLog = new JobLog(file);
    jobLog.add(done('b'));
    jobLog.close();
    expect((await read()).lines).toEqual([done('ä'), done('b')]);
  });

  it('names a broken line in the middle', async () => {
    writeFileSync(file, `${JSON.stringify(done('a'))}\nnonsense\n${JSON.stringify(done('b'))}\n`);
    await expect(read()).rejects.toThrow(/jobs\.jsonl:2: .*remove it/);
  });

  it('refuses every broken line if no repair is requested', async () => {
    writeFileSync(file, '');
    appendFileSync(file, '{"key":"a"');
    await expect(readJobLog(file, { onLine: () => undefined })).rejects.toThrow(/jobs\.jsonl:1/);
  });
});
