import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Experiment } from '../../experiments';
import { runSimulated, type SimulatedOptions } from './simulated';
import { capture, type Captured } from '../../runner/testing/captured';
import { localWorkers, squares, type SquareJob } from './testing/fake-experiment';

vi.mock('../../runner/run', async (original) => ({
  ...(await original<object>()),
  builtAssets: () => ({ clientJs: '', clientCss: '', nonce: 'abcdefgh12345678' }),
}));

let dir = '';
let output: Captured;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'experiment-test-'));
  output = capture();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
  process.exitCode = undefined;
});

const folder = (): string => path.join(dir, 'run');
const read = (name: string): string => readFileSync(path.join(folder(), name), 'utf8');

async function run(
  options: SimulatedOptions,
  onRun?: (job: SquareJob) => void,
  experiment: Experiment<SquareJob, { square: number }> = squares,
  version = '1.2.3',
): Promise<void> {
  await runSimulated(experiment, options, version, () => localWorkers(onRun));
}

describe('a simulated experiment', () => {
  it('writes page, text and figures, and prints the text', async () => {
    await run({ out: folder(), jobs: 3 });
    expect(output.stdout).toContain('Simulated');
    expect(output.stdout).toContain('1.0 (0.0 to 2.0)');
    expect(read('squares.md')).toContain(output.stdout.trim().slice(0, 200));
    expect(read('squares.html')).toContain('Squares &lt;b&gt;');
    const report = JSON.parse(read('squares.json')) as { run: unknown; tables: unknown[] };
    expect(report).toMatchObject({
      simulated: true,
      run: { seed: 1, quick: false, jobs: { planned: 4, done: 4, failed: 0 } },
    });
    expect(process.exitCode).toBeUndefined();
  });

  it('writes only JSON to standard output on request', async () => {
    await run({ out: folder(), quick: true, json: '-' });
    expect(JSON.parse(output.stdout)).toMatchObject({ name: 'squares', run: { quick: true } });
  });

  it('reports a job that throws, keeps the others, and fails', async () => {
    await run({ out: folder(), seed: 12 });
    expect(output.stderr).toContain('job square/13 failed: 13 has no luck');
    expect(process.exitCode).toBe(1);
    expect(read('squares.md')).toContain('3 of 4 simulations');
    expect(read('squares.md')).toContain('1 of them failed');
  });

  it('resumes after an interruption, with the figures of an uninterrupted run', async () => {
    const done: string[] = [];
    await run({ out: folder(), jobs: 1 }, ({ key }) => {
      done.push(key);
      if (done.length === 2) process.emit('SIGINT', 'SIGINT');
    });
    expect(process.exitCode).toBe(130);
    expect(output.stderr).toMatch(/interrupted; finished jobs are kept\. Go on: .*--resume /);
    expect(existsSync(path.join(folder(), 'squares.html'))).toBe(false);
    process.exitCode = undefined;
    appendFileSync(path.join(folder(), 'jobs.jsonl'), '{"key":"square/4","tookMs":1,"outco');
    await run({ resume: folder() }, ({ key }) => done.push(key));
    expect(output.stderr).toContain('was cut off');
    expect([...done].sort()).toEqual(['square/1', 'square/2', 'square/3', 'square/4']);
    const text = output.stdout;
    output.stdout = '';
    await run({ out: path.join(dir, 'whole') });
    const tables = (markdown: string): string => markdown.slice(markdown.indexOf('## Beside'));
    expect(tables(text)).toBe(tables(output.stdout));
  });

  it('names every version of the program that ran a part of a resumed run', async () => {
    let begun = 0;
    await run({ out: folder(), jobs: 1 }, () => {
      begun += 1;
      if (begun === 2) process.emit('SIGINT', 'SIGINT');
    });
    // A run of an earlier program has no version in its lines, only in its record.
    const log = path.join(folder(), 'jobs.jsonl');
    writeFileSync(log, read('jobs.jsonl').replaceAll(/,"program":"[^"]*"/g, ''));
    await run({ resume: folder() }, undefined, squares, '1.3.0');
    expect(output.stderr).toContain(
      'this is multipath-dash 1.3.0, the outcomes so far are of 1.2.3',
    );
    const both = /multipath-dash 1\.2\.3 \((\d) jobs?\) and 1\.3\.0 \((\d) jobs?\)/;
    const [, before, after] = both.exec(read('squares.md')) ?? [];
    expect(Number(before) + Number(after)).toBe(4);
    expect(read('squares.json')).toMatch(both);
    // The report made again, by the first version, names both too.
    output.stderr = '';
    await run({ resume: folder() });
    expect(read('squares.md')).toMatch(both);
    expect(output.stderr).not.toContain('the outcomes so far');
  });

  it('retries failed jobs when it resumes', async () => {
    await run({ out: folder(), seed: 12 });
    const tried: string[] = [];
    await run({ resume: folder() }, ({ key }) => tried.push(key));
    expect(tried).toEqual(['square/13']);
  });

  it.each([
    [{ quick: true }, /leave --quick out/],
    [{ seed: 2, trials: 3 }, /leave --seed, --trials out/],
    [{ out: 'x' }, /leave --out out/],
  ])('refuses %j with --resume', async (options, why) => {
    await expect(run({ resume: folder(), ...options })).rejects.toThrow(why);
  });

  it('refuses a folder of another run, of other jobs, or of none', async () => {
    await expect(run({ resume: dir })).rejects.toThrow(/experiment\.json cannot be read/);
    await expect(run({ resume: `${dir}/none` })).rejects.toThrow(/: there is no such folder$/);
    await run({ out: folder(), quick: true });
    await expect(run({ out: folder() })).rejects.toThrow(/holds a run already/);
    const other = { ...squares, name: 'roots' };
    await expect(run({ resume: folder() }, undefined, other)).rejects.toThrow(
      /run of the experiment squares/,
    );
    const changed = { ...squares, plan: () => [{ key: 'new', value: 1 }] };
    await expect(run({ resume: folder() }, undefined, changed)).rejects.toThrow(/other jobs/);
    const damaged = {
      ...squares,
      plan: (): never => (undefined as unknown as () => never)(),
    };
    await expect(run({ resume: folder() }, undefined, damaged)).rejects.toThrow(
      /experiment\.json: the options of the run are damaged/,
    );
    // Its outcomes may be of other settings.
    rmSync(path.join(folder(), 'experiment.json'));
    await expect(run({ out: folder() })).rejects.toThrow(/has outcomes .* without their settings/);
  });
});
