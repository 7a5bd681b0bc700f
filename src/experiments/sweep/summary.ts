import { estimate } from '../../report';
import type { ExperimentTable } from '../types';
import type { SweepRow } from './columns';

/** Metrics in the summary of each player; the file has the rest. */
const SHOWN: readonly { name: string; label: string; unit: string; divisor: number }[] = [
  { name: 'linearQoePerSegment', label: 'QoE per segment', unit: 'Mbit/s', divisor: 1 },
  { name: 'optimumShare', label: 'share of the optimum', unit: '%', divisor: 0.01 },
  { name: 'averageVideoBitrateBps', label: 'video', unit: 'Mbit/s', divisor: 1e6 },
  { name: 'stalls', label: 'stalls', unit: '', divisor: 1 },
  { name: 'stallMs', label: 'stalled', unit: 's', divisor: 1e3 },
  { name: 'startupDelayMs', label: 'start', unit: 's', divisor: 1e3 },
];

/** Every player over all sessions of the sweep: mean and 95 % interval over sessions. */
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
        estimate(own.flatMap(({ metrics }) => metrics[name] ?? []).map((one) => one / divisor)),
      );
      const unseen = own.filter(
        ({ metrics }) => typeof metrics['startupDelayMs'] !== 'number',
      ).length;
      return [player, own.length, unseen, ...figures];
    }),
    note: 'Mean over the sessions with a picture and its 95 % confidence interval: of these points, not of all networks. QoE and share of the optimum do not price the wait for the first frame. Sessions that differ in nothing but the seed are alike where nothing is random.',
  };
}
