/** Simulated experiments in user form: the bundle, its worker threads, their output. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parse } from 'yaml';
import { root } from '../support/electron';
import { nightly } from '../support/nightly';
import type { RunningCommand } from './command';
import { test } from './fixtures';

const options = [
  ...['--set', 'topology.paths.lte.rate=500kbit,2mbit', '--players', 'ours,throughput@each-path'],
  ...['--seconds', '10', '--trials', '3', '--jobs', '2'],
];

interface KubernetesJob {
  spec: {
    completions: number;
    template: {
      spec: {
        containers: { image: string; command: string[]; env: { name: string; value?: string }[] }[];
      };
    };
  };
}

const finished = (out: string): number =>
  existsSync(`${out}/jobs.jsonl`)
    ? readFileSync(`${out}/jobs.jsonl`, 'utf8').split('\n').length - 1
    : 0;

const rows = async (file: string): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(file) });

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
  expect(second.stderr()).toContain(`${before - 1} of them done before`);
  expect(JSON.parse(second.stdout())).toMatchObject({
    simulated: true,
    run: { jobs: { done: 18 } },
  });

  const whole = testInfo.outputPath('whole');
  const third = run('experiment', 'sweep', ...options, '--out', whole);
  expect(await third.exited, third.stderr()).toBe(0);
  expect(third.stdout()).toContain('Simulated');
  const [resumed, atOnce] = await Promise.all(
    [out, whole].map((folder) => rows(`${folder}/sweep.parquet`)),
  );
  expect(resumed).toHaveLength(18);
  expect(resumed).toEqual(atOnce);
});

test(
  'the pods of the Kubernetes job together leave the whole table, also after one was evicted',
  nightly,
  async ({ start }, testInfo) => {
    const job = parse(
      readFileSync(path.join(root, 'packaging/kubernetes/sweep.yaml'), 'utf8'),
    ) as KubernetesJob;
    const [container] = job.spec.template.spec.containers;
    const parts = container?.env.find(({ name }) => name === 'PARTS')?.value;
    expect(parts).toBe(String(job.spec.completions));
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(container?.image).toBe(`multipath-dash:${version}`);

    const bin = testInfo.outputPath('multipath-dash');
    writeFileSync(
      bin,
      `#!/bin/sh\nexec "${process.execPath}" "${root}/bin/multipath-dash.mjs" "$@"\n`,
    );
    chmodSync(bin, 0o755);
    const runs = testInfo.outputPath('runs');
    const pod = (index: number): RunningCommand =>
      start([...options, '--trials', '2'], {
        program: container?.command,
        env: {
          ...{ PATH: `${path.dirname(bin)}:${process.env['PATH'] ?? ''}`, RUNS: runs },
          ...{ PARTS: '2', CPUS: '1', JOB_COMPLETION_INDEX: String(index) },
        },
      });
    const evicted = pod(0);
    await expect.poll(() => finished(`${runs}/part-1`), { timeout: 60_000 }).toBeGreaterThan(0);
    evicted.child.kill('SIGTERM');
    await evicted.exited;
    const before = finished(`${runs}/part-1`);
    for (const index of [0, 1]) {
      const replacement = pod(index);
      expect(await replacement.exited, replacement.stderr()).toBe(0);
      if (index === 0) expect(replacement.stderr()).toContain(`${before} of them done before`);
    }
    const tables = await Promise.all(
      [1, 2].map((part) => rows(`${runs}/part-${part}/sweep-${part}-of-2.parquet`)),
    );
    const sessions = tables.flat().map(({ session }) => session);
    expect(sessions).toHaveLength(12);
    expect(new Set(sessions).size).toBe(12);
  },
);

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
