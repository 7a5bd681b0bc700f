import { Command } from 'commander';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Experiment } from '../../experiments';
import { packageRoot } from '../../runner/host';
import { capture } from '../../runner/testing/captured';
import { keptPages, resultsFile, stalePages, writePage, type KnownReports } from './kept-pages';
import { addPagesCommand } from './pages-command';
import { readShipped } from './run-options';
import { runSimulated, type SimulatedOptions } from './simulated';
import { localWorkers, squares, type SquareJob } from './testing/fake-experiment';

vi.mock('../../runner/run', async (original) => ({
  ...(await original<object>()),
  builtAssets: () => ({ clientJs: '', clientCss: '', nonce: 'abcdefgh12345678' }),
}));

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'kept-pages-'));
  mkdirSync(pages());
  writeFileSync(page(), 'Before\n\n<!-- results squares -->\n\nold\n\n<!-- /results squares -->\n');
  capture();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
  process.exitCode = undefined;
});

const pages = (): string => path.join(dir, 'pages');
const page = (): string => path.join(pages(), 'of-squares.md');
const plain = squares as unknown as Experiment;
const none = (): string => '';

async function run(options: SimulatedOptions, onRun?: (job: SquareJob) => void): Promise<void> {
  await runSimulated(squares, options, '1.2.3', () => localWorkers(onRun));
}

describe('kept results of an experiment', () => {
  it('become its page, with a picture for each figure', async () => {
    await run({ kept: pages(), out: path.join(dir, 'a') });
    const text = readFileSync(page(), 'utf8');
    expect(text).toMatch(/^Before\n\n<!-- results squares -->/);
    expect(text).toContain('4 of 4 simulations');
    expect(text).not.toContain('old');
    const pictures = readdirSync(path.join(pages(), 'figures'));
    expect(pictures).toEqual(['squares-1.svg', 'squares-2.svg', 'squares-3.svg']);
    expect(text.match(/!\[.*\]\(figures\/squares-\d\.svg\)/g)).toHaveLength(3);
    expect(readFileSync(path.join(pages(), 'figures/squares-1.svg'), 'utf8')).toContain(
      'xmlns="http://www.w3.org/2000/svg"',
    );
    // The same results give the same page.
    expect(keptPages(plain, pages(), none)?.get('of-squares.md')).toBe(text);
  });

  it('keep the finished jobs of an interrupted run, and the next run completes them', async () => {
    const done: string[] = [];
    await run({ kept: pages(), out: path.join(dir, 'a'), jobs: 1 }, ({ key }) => {
      done.push(key);
      if (done.length === 2) process.emit('SIGINT', 'SIGINT');
    });
    expect(process.exitCode).toBe(130);
    process.exitCode = undefined;
    writePage(plain, pages(), none);
    const partly = readFileSync(page(), 'utf8');
    expect(partly).toContain('2 of 4 simulations');
    expect(partly).toContain('2 of them are not run yet');
    const rest: string[] = [];
    await run({ kept: pages(), out: path.join(dir, 'b') }, ({ key }) => rest.push(key));
    expect(rest).toEqual(['square/3', 'square/4']);
    expect(readFileSync(page(), 'utf8')).toContain('4 of 4 simulations');
  });

  it('keep their options, and grow with more trials', async () => {
    await run({ kept: pages(), out: path.join(dir, 'a'), seed: 5 });
    const more: string[] = [];
    await run({ kept: pages(), out: path.join(dir, 'b'), trials: 6 }, ({ key }) => more.push(key));
    expect(more).toEqual(['square/9', 'square/10']);
    await expect(run({ kept: pages(), out: path.join(dir, 'b'), trials: 7 })).rejects.toThrow(
      /holds a run already.*--trials/,
    );
  });

  it('are reported once for all pages of a folder', async () => {
    await run({ kept: pages(), out: path.join(dir, 'a') });
    const report = vi.spyOn(plain, 'report');
    const known: KnownReports = new Map();
    const first = keptPages(plain, pages(), none, known);
    expect(keptPages(plain, pages(), none, known)).toEqual(first);
    expect(report).toHaveBeenCalledOnce();
  });

  it('refuse the quick profile, and a folder without a place for them', async () => {
    await expect(run({ kept: pages(), quick: true })).rejects.toThrow(/leave --quick/);
    const begun: string[] = [];
    await expect(run({ kept: dir }, ({ key }) => begun.push(key))).rejects.toThrow(/no page has/);
    expect(begun).toEqual([]);
    await run({ kept: pages(), out: path.join(dir, 'a') });
    writeFileSync(page(), 'no place');
    expect(() => writePage(plain, pages(), none)).toThrow(/no page has the line/);
    expect(resultsFile(pages(), 'squares')).toMatch(/pages\/results\/squares\.jsonl\.gz$/);
  });
});

it('the pages of docs/experiments are up to date with the kept results', () => {
  expect(stalePages(path.join(packageRoot(), 'docs/experiments'), readShipped)).toEqual([]);
});

it('refuses a folder without kept results', async () => {
  const program = new Command().exitOverride();
  addPagesCommand(program);
  for (const args of [[], ['--check']])
    await expect(program.parseAsync(['pages', dir, ...args], { from: 'user' })).rejects.toThrow(
      'no kept results are there',
    );
});
