import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAxis, readPlayers, sweepColumns, type SweepRow } from '../../experiments';
import { writeParquet } from './parquet';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'parquet-test-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const [player] = readPlayers(['bola@wifi'], ['wifi']);

function row(point: number, set: Record<string, string>, metrics: SweepRow['metrics']): SweepRow {
  if (player === undefined) throw new Error('no player');
  return {
    job: {
      key: `${point}/1`,
      point,
      file: '/scenarios/decisions/two-unequal.yaml',
      set: Object.entries(set).map(([key, value]) => ({ path: key, value })),
      player,
      scheduler: 'mainline',
      seed: 4_294_967_295,
    },
    metrics,
  };
}

describe('the Parquet file of a sweep', () => {
  it('returns every parameter and metric, in base units, with nulls and text', async () => {
    const rows = [
      row(0, { rate: '1.5mbit', loss: '1%', trace: 'ä,"b".json' }, { stalls: 2, qoe: -0.1 }),
      row(
        1,
        { rate: '500kbit', loss: '0%', trace: '20ms' },
        { stalls: null, qoe: 1 / 3, extra: 4 },
      ),
    ];
    const axes = [
      readAxis('rate', '500kbit..2mbit'),
      readAxis('loss', '0%,1%'),
      readAxis('trace', '20ms,"ä,b.json"'),
    ];
    const file = path.join(dir, 'sweep.parquet');
    writeParquet(file, sweepColumns(rows, axes), { generator: 'test 1', simulated: 'true' });
    expect(readdirSync(dir)).toEqual(['sweep.parquet']);
    const buffer = await asyncBufferFromFile(file);
    const read = await parquetReadObjects({ file: buffer });
    expect(read).toEqual([
      {
        session: '0/1',
        simulated: true,
        scenario: 'decisions/two-unequal',
        point: 0,
        player: 'bola@wifi',
        rule: 'bola',
        over: 'wifi',
        scheduler: 'mainline',
        congestion: null,
        seed: 4_294_967_295n,
        rate: 1_500_000,
        loss: 0.01,
        trace: 'ä,"b".json',
        stalls: 2,
        qoe: -0.1,
        extra: null,
      },
      expect.objectContaining({
        rate: 500_000,
        loss: 0,
        trace: '20ms',
        stalls: null,
        qoe: 1 / 3,
        extra: 4,
      }),
    ]);
    const { key_value_metadata: about } = await parquetMetadataAsync(buffer);
    expect(about).toContainEqual({ key: 'simulated', value: 'true' });
  });

  it('types a parameter by the whole sweep, whatever values a shard has', () => {
    const [first, second] = [row(0, { p: '5ms' }, {}), row(1, { p: 'auto' }, {})];
    const types = [[first], [second], [first, second]].map(
      (rows) =>
        sweepColumns(rows, [readAxis('p', '5ms,auto')]).find(({ name }) => name === 'p')?.type,
    );
    expect(types).toEqual(['STRING', 'STRING', 'STRING']);
  });

  it('stores many rows in groups', async () => {
    const rows = Array.from({ length: 110_000 }, (_, i) => row(i, { n: String(i % 7) }, { v: i }));
    const file = path.join(dir, 'many.parquet');
    writeParquet(file, sweepColumns(rows, [readAxis('n', '0..6/7')]), {});
    const buffer = await asyncBufferFromFile(file);
    const { num_rows: count, row_groups: groups } = await parquetMetadataAsync(buffer);
    expect([Number(count), groups.length]).toEqual([110_000, 2]);
    const some = await parquetReadObjects({
      file: buffer,
      columns: ['n', 'v'],
      rowStart: 99_999,
      rowEnd: 100_001,
    });
    expect(some).toEqual([
      { n: 99_999 % 7, v: 99_999 },
      { n: 100_000 % 7, v: 100_000 },
    ]);
  });
});
