/** Simulated experiments in user form: the bundle, its worker threads, their output. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { test } from './fixtures';

const options = [
  ...['--set', 'topology.paths.lte.rate=500kbit,2mbit', '--players', 'ours,throughput@each-path'],
  ...['--seconds', '10', '--trials', '3', '--jobs', '2'],
];

const finished = (out: string): number =>
  existsSync(`${out}/jobs.jsonl`)
    ? readFileSync(`${out}/jobs.jsonl`, 'utf8').split('\n').length - 1
    : 0;

test('an interrupted sweep resumes, and gives the same table as an uninterrupted one', async ({
  run,
}, testInfo) => {
  const out = testInfo.outputPath('sweep');
  const first = run('experiment', 'sweep', ...options, '--out', out);
  await expect.poll(() => finished(out), { timeout: 60_000, intervals: [50] }).toBeGreaterThan(1);
  first.child.kill('SIGINT');
  expect(await first.exited, first.stderr()).toBe(130);
  expect(first.stderr()).toContain('--resume');
  expect(existsSync(`${out}/sweep.parquet`)).toBe(false);
  const before = finished(out);
  // The file after a power failure in mid-line.
  writeFileSync(`${out}/jobs.jsonl`, readFileSync(`${out}/jobs.jsonl`, 'utf8').slice(0, -10));

  const second = run('experiment', 'sweep', '--resume', out, '--json', '-');
  expect(await second.exited, second.stderr()).toBe(0);
  expect(second.stderr()).toContain(`${String(before - 1)} of them done before`);
  expect(JSON.parse(second.stdout())).toMatchObject({
    simulated: true,
    run: { jobs: { done: 18 } },
  });

  const whole = testInfo.outputPath('whole');
  const third = run('experiment', 'sweep', ...options, '--out', whole);
  expect(await third.exited, third.stderr()).toBe(0);
  expect(third.stdout()).toContain('Simulated');
  const [resumed, atOnce] = await Promise.all(
    [out, whole].map(async (folder) =>
      parquetReadObjects({ file: await asyncBufferFromFile(`${folder}/sweep.parquet`) }),
    ),
  );
  expect(resumed).toHaveLength(18);
  expect(resumed).toEqual(atOnce);
});

test('experiments are listed, and a mistake is reported before anything runs', async ({
  run,
}, testInfo) => {
  const list = run('experiment', 'list');
  expect(await list.exited, list.stderr()).toBe(0);
  expect(list.stdout()).toContain('sweep');
  const out = testInfo.outputPath('none');
  const wrong = run('experiment', 'sweep', '--set', 'topology.paths.lte.rate=fast', '--out', out);
  expect(await wrong.exited).not.toBe(0);
  expect(wrong.stderr()).toContain('topology.paths.lte.rate');
  expect(finished(out)).toBe(0);
});
