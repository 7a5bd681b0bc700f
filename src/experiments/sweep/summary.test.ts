import { expect, it } from 'vitest';
import type { SweepRow } from './columns';
import { sweepSummary } from './summary';

const row = (startupDelayMs: number | null, linearQoePerSegment: number | null): SweepRow =>
  ({
    job: { player: { id: 'ours' } },
    metrics: { startupDelayMs, linearQoePerSegment },
  }) as unknown as SweepRow;

it('counts the sessions without a picture, which have no part in the means', () => {
  const { columns, rows } = sweepSummary([row(500, 2), row(null, null), row(700, 4)]);
  const cell = (label: string): unknown =>
    rows[0]?.[columns.findIndex((column) => column.label === label)];
  expect(cell('sessions')).toBe(3);
  expect(cell('without a picture')).toBe(1);
  expect(cell('QoE per segment')).toMatchObject({ mean: 3 });
});
