import { mean } from '../../core';
import { estimate } from '../../report';
import type { ExperimentTable } from '../types';
import type { SweepRow } from './columns';

/** Metrics in the summary of each player; the file has the rest. */
const SHOWN: readonly { name: string; label: string; unit: string; divisor: number }[] = [
  { name: 'linearQoePerSegment', label: 'QoE per segment', unit: 'Mbit/s', divisor: 1 },
  { name: 'startPricedQoePerSegment', label: 'with the start', unit: 'Mbit/s', divisor: 1 },
  { name: 'optimumShare', label: 'share of the optimum', unit: '%', divisor: 0.01 },
  { name: 'averageVideoBitrateBps', label: 'video', unit: 'Mbit/s', divisor: 1e6 },
  { name: 'stalls', label: 'stalls', unit: '', divisor: 1 },
  { name: 'stallMs', label: 'stalled', unit: 's', divisor: 1e3 },
  { name: 'startupDelayMs', label: 'start', unit: 's', divisor: 1e3 },
];

/** One network: its sessions differ in seed, scheduler and congestion control. */
const networkOf = ({ job: { file, point } }: SweepRow): string => JSON.stringify([file, point]);

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

/**
 * The independent values of a metric. Seeds of one network are no further networks, so each network counts once, with
 * its mean. Over a single network the values are its sessions. If all of them are equal they count as one, because nothing
 * in them was random. As soon as one differs each counts: the equal ones are then outcomes of a random network too.
 */
function independent(rows: readonly SweepRow[], name: string): number[] {
  const networks = new Map<string, number[]>();
  for (const row of rows) {
    const value = row.metrics[name];
    if (!isNumber(value)) continue;
    const own = networks.get(networkOf(row));
    if (own) own.push(value);
    else networks.set(networkOf(row), [value]);
  }
  if (networks.size > 1) return [...networks.values()].flatMap((values) => mean(values) ?? []);
  const distinct = new Set(rows.map(({ metrics }) => JSON.stringify(metrics)));
  return [...networks.values()].flat().slice(0, distinct.size === 1 ? 1 : undefined);
}

/** Every player over all networks of the sweep: mean and 95 % interval. */
export function sweepSummary(rows: readonly SweepRow[]): ExperimentTable {
  const players = [...new Set(rows.map(({ job }) => job.player.id))];
  return {
    title: 'Every player over all sessions',
    columns: [
      { label: 'player' },
      { label: 'sessions' },
      { label: 'without a picture' },
      ...SHOWN.map(({ label, unit }) => ({ label, unit, digits: 2 })),
    ],
    rows: players.map((player) => {
      const own = rows.filter(({ job }) => job.player.id === player);
      const figures = SHOWN.map(({ name, divisor }) =>
        estimate(independent(own, name).map((one) => one / divisor)),
      );
      const unseen = own.filter(
        ({ metrics }) => typeof metrics['startupDelayMs'] !== 'number',
      ).length;
      return [player, own.length, unseen, ...figures];
    }),
    note: 'Mean over the networks and its 95 % confidence interval: of these points, not of all networks. Seeds of one network are averaged first; over a single network the interval is over its sessions. Sessions of one network that are all equal count as one, without an interval. "With the start" prices the wait for the first frame as a stall, in all sessions. The other columns have the sessions with a picture, without that wait.',
  };
}
