import { expect, it } from 'vitest';
import type { SweepRow } from './columns';
import { sweepSummary } from './summary';

const row = (
  startupDelayMs: number | null,
  linearQoePerSegment: number | null,
  point = 0,
): SweepRow =>
  ({
    job: { player: { id: 'ours' }, file: 'a.yaml', point, scheduler: 'min-rtt' },
    metrics: { startupDelayMs, linearQoePerSegment },
  }) as unknown as SweepRow;

function cell(label: string, sessions: readonly SweepRow[]): unknown {
  const { columns, rows } = sweepSummary(sessions);
  return rows[0]?.[columns.findIndex((column) => column.label === label)];
}

it('counts the sessions without a picture, which have no part in the means', () => {
  const sessions = [row(500, 2), row(null, null), row(700, 4)];
  expect(cell('sessions', sessions)).toBe(3);
  expect(cell('without a picture', sessions)).toBe(1);
  expect(cell('QoE per segment', sessions)).toMatchObject({ mean: 3 });
});

it('counts the sessions of a network as one only if all of them are equal', () => {
  const copies = Array.from({ length: 19 }, () => row(500, 1));
  expect(cell('QoE per segment', copies)).toMatchObject({ mean: 1, count: 1 });
  // One seed of twenty stalled: the mean is that of the twenty sessions.
  const random = cell('QoE per segment', [row(500, 0), ...copies]);
  expect(random).toMatchObject({ count: 20 });
  expect((random as { mean: number }).mean).toBeCloseTo(0.95, 9);
});

it('counts several seeds of a network as one network', () => {
  // Two networks with means of 2 and 6: three seeds of the first weigh no more than one of the second.
  const networks = [row(500, 1), row(500, 2), row(500, 3), row(500, 6, 1)];
  expect(cell('QoE per segment', networks)).toMatchObject({ mean: 4, count: 2 });
});
