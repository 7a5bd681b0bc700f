import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sweepColumns } from '../../experiments';
import { axesOf, planJobs, readSweep } from './read-sweep';
import { simulateSweepJob } from '../jobs/sweep-job';

interface Cell {
  cell_type: string;
  source: string[];
  outputs?: { output_type: string; data?: Record<string, unknown> }[];
}

const text = readFileSync('docs/notebooks/sweep.ipynb', 'utf8');
const { cells } = JSON.parse(text) as { cells: Cell[] };
const sources = cells.map(({ source }) => source.join(''));
const outputs = cells.flatMap((cell) => cell.outputs ?? []);

it('reads columns that a sweep of its own command has', () => {
  // Shell words of the command in the first cell, from behind `sweep` to the fence.
  const [, command = ''] = /experiment sweep ([\s\S]+?)\n```/.exec(sources[0] ?? '') ?? [];
  const words = command.match(/'[^']*'|[^\s\\]+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const set = words.filter((_, i) => words[i - 1] === '--set');
  const players = words[words.indexOf('--players') + 1]?.split(',') ?? [];
  const sweep = readSweep([], { set, players, trials: 5, seconds: 8 });
  const jobs = planJobs(sweep);
  expect(jobs).toHaveLength(120);
  const rows = jobs.slice(0, 1).map((job) => ({ job, metrics: simulateSweepJob(job) }));
  const has = sweepColumns(rows, axesOf(sweep)).map(({ name }) => name);

  const [, list = ''] = /^COLUMNS = \[([^\]]+)\]/m.exec(sources.join('\n')) ?? [];
  const reads = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  expect(reads.length).toBeGreaterThan(5);
  expect(has).toEqual(expect.arrayContaining([...reads, 'pathShare.wifi', 'pathShare.lte']));
});

it('ships with its five figures, drawn without an error', () => {
  const kinds = outputs.map(({ output_type: type, data }) =>
    data?.['image/png'] === undefined ? type : 'figure',
  );
  expect(kinds.filter((kind) => kind === 'figure')).toHaveLength(5);
  expect(kinds).not.toContain('error');
  expect(text.length).toBeLessThan(200_000);
});
