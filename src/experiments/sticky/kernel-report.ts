import type {
  Cell,
  ExperimentFigure,
  ExperimentOptions,
  ExperimentReport,
  ExperimentTable,
} from '../types';
import { SOME_CHANGES } from '../explain';
import { ablatedSessions, explainedInKernel } from './kernel-ablations';
import { stickyKernelClaims } from './kernel-claims';
import {
  kernelEstimate,
  kernelLead,
  type KernelValue,
  type StickyKernelResult,
} from './kernel-cells';
import { BEST_PATH, CARRIAGES, KERNEL_PLAYERS, SINGLE_BEST } from './kernel-job';
import { STICKY } from './comparer';
import { PAPER } from './report';
import { scenarios, schedulerNames, type StickyScheduler } from './set-up';

/** Playing time of a session. */
export const KERNEL_SESSION_MS = { quick: 30_000, whole: 60_000 };

const PLACES = scenarios.map(({ id }) => id);
const CARRIAGE_TITLES = { mptcp: 'MPTCP', ranges: 'Byte ranges' } as const;
/** The schedulers that the paper's bars compare; DFT is each carriage's own. */
const titleOf = (carriage: keyof typeof CARRIAGE_TITLES, scheduler: StickyScheduler): string =>
  `${CARRIAGE_TITLES[carriage]}, ${scheduler === 'DFT' ? 'all paths' : scheduler}`;

/** The rules in the order of the tables. */
const RULES: readonly { player: string; title: string }[] = CARRIAGES.flatMap((carriage) =>
  schedulerNames.map((scheduler) => ({
    player: KERNEL_PLAYERS[carriage][scheduler],
    title: titleOf(carriage, scheduler),
  })),
);
const PLAYERS = [
  ...RULES,
  { player: SINGLE_BEST, title: 'MPTCP, single-best' },
  { player: BEST_PATH, title: 'The best path alone' },
];

const qoe: KernelValue = (outcome) => outcome.qoe;
const flow =
  (index: number): KernelValue =>
  ({ flowsBps }) =>
    (flowsBps[index] ?? 0) / 1e6;

const COLUMNS: readonly { label: string; unit?: string; digits: number; of: KernelValue }[] = [
  { label: 'Video', unit: 'Mbit/s', digits: 2, of: ({ bitrateBps }) => bitrateBps / 1e6 },
  { label: 'Switches', digits: 1, of: ({ rungSwitches }) => rungSwitches },
  { label: 'Stalls', digits: 1, of: ({ stalls }) => stalls },
  { label: 'Stalled', unit: 's', digits: 1, of: ({ stallMs }) => stallMs / 1e3 },
  { label: 'QoE a segment', unit: 'Mbit/s', digits: 2, of: qoe },
  { label: 'Flow 1', unit: 'Mbit/s', digits: 2, of: flow(0) },
  { label: 'Flow 2', unit: 'Mbit/s', digits: 2, of: flow(1) },
  { label: 'Flow 3', unit: 'Mbit/s', digits: 2, of: flow(2) },
  { label: 'Path switches', digits: 1, of: ({ pathSwitches }) => pathSwitches },
];

const VALUE_COLUMNS = COLUMNS.map(({ label, unit, digits }) =>
  unit === undefined ? { label, digits } : { label, unit, digits },
);

function playersTable(results: readonly StickyKernelResult[]): ExperimentTable {
  return {
    title: 'The rules beside all paths and one path',
    columns: [{ label: 'Scenario' }, { label: 'Player' }, ...VALUE_COLUMNS],
    rows: PLACES.flatMap((place) =>
      PLAYERS.map(({ player, title }): Cell[] => [
        place,
        title,
        ...COLUMNS.map(({ of }) => kernelEstimate(results, place, player, of)),
      ]),
    ),
    note: 'Switches are those of the rung. Path switches are those of a rule over MPTCP; packets of the kernel’s scheduler and chunks of byte ranges are not counted. A flow’s rate is over the whole session.',
  };
}

/** The base scenario with each change, beside the same trials without it. */
function changesTable(results: readonly StickyKernelResult[]): ExperimentTable {
  const all = ablatedSessions(results);
  const same = all.flatMap((one) => one.same);
  const sets = [
    ...(same.length === 0 ? [] : [{ label: 'as above', sessions: same }]),
    ...all.map(({ label, changed }) => ({ label, sessions: changed })),
  ];
  return {
    title: 'The base scenario with one property changed',
    columns: [{ label: 'With' }, { label: 'Player' }, ...VALUE_COLUMNS],
    rows: sets.flatMap(({ label, sessions }) =>
      RULES.map(({ player, title }): Cell[] => [
        label,
        title,
        ...COLUMNS.map(({ of }) => kernelEstimate(sessions, 'base', player, of)),
      ]),
    ),
    note: 'The first trials: three of the highest rung alone, five of the others.',
  };
}

/** Each rule less the carriage's own scheduler, and less those that use one path. */
function leadTable(results: readonly StickyKernelResult[]): ExperimentTable {
  const difference = { unit: 'Mbit/s', digits: 2 };
  return {
    title: 'QoE of the rules less that of all paths and of one path',
    columns: [
      { label: 'Scenario' },
      { label: 'Player' },
      { label: 'less all paths', ...difference },
      { label: 'less single-best', ...difference },
      { label: 'less the best path alone', ...difference },
    ],
    rows: PLACES.flatMap((place) =>
      CARRIAGES.flatMap((carriage) =>
        STICKY.map((scheduler): Cell[] => {
          const { DFT: all, [scheduler]: player } = KERNEL_PLAYERS[carriage];
          return [
            place,
            titleOf(carriage, scheduler),
            kernelLead(results, place, [player, all], qoe),
            kernelLead(results, place, [player, SINGLE_BEST], qoe),
            kernelLead(results, place, [player, BEST_PATH], qoe),
          ];
        }),
      ),
    ),
    note: 'Differences over pairs of trials with the same seed.',
  };
}

/** The paper's bars of underflows, a figure a scenario. */
function stallFigures(results: readonly StickyKernelResult[]): ExperimentFigure[] {
  const names = { base: 'Fig. 4 a', '3p-50': 'Fig. 7 a', '3p-150': 'Fig. 8 a' } as const;
  return PLACES.map((place) => ({
    title: `${names[place]}: stalls, ${place}, Cubic`,
    kind: 'bars',
    x: { label: 'Scheduler', names: schedulerNames },
    y: { label: 'Stalls of a session', from: 0 },
    series: CARRIAGES.map((carriage) => ({
      label: CARRIAGE_TITLES[carriage],
      points: schedulerNames.flatMap((scheduler, x) => {
        const { mean, low, high } = kernelEstimate(
          results,
          place,
          KERNEL_PLAYERS[carriage][scheduler],
          ({ stalls }) => stalls,
        );
        if (mean === null) return [];
        return [{ x, y: mean, ...(low === null || high === null ? {} : { low, high }) }];
      }),
    })),
    note: 'DFT is the kernel’s scheduler, or that of the byte ranges.',
  }));
}

export function reportStickyKernel(
  all: readonly StickyKernelResult[],
  { quick }: Pick<ExperimentOptions, 'quick'>,
): ExperimentReport {
  const results = all.filter(({ job }) => job.ablation === undefined);
  const seconds = (quick ? KERNEL_SESSION_MS.quick : KERNEL_SESSION_MS.whole) / 1000;
  return {
    name: 'sticky-kernel',
    title: 'Sticky rules under a DASH player, in the lab',
    paper: PAPER,
    simulated: false,
    method: [
      `Sessions of ${seconds} s (scenarios/sticky) over the three paths of Table II, without Wi-Fi's own losses, with Linux MPTCP, nginx and Chromium. The film has six rungs up to 5.2 Mbit/s.`,
      'The rules choose one path at a time: over MPTCP as the client’s path policies, over byte ranges as chunk schedulers. All players have dash.js’s throughput rule, and the server has Cubic.',
      'DFT is the kernel’s own scheduler over MPTCP, which is not that of the shortest round trip, and the project’s own one over byte ranges.',
      'Single-best is the policy of one path over MPTCP. The best path alone is plain TCP over the nearest path without losses: flow 1 in base, flow 3 elsewhere.',
      'A stall is the paper’s buffer underflow. A player with rungs discards no pictures, so statements about discards are not judged, nor those about Compound, LIA and OLIA.',
    ],
    tables: [playersTable(results), leadTable(results), changesTable(all)],
    figures: stallFigures(results),
    claims: explainedInKernel(stickyKernelClaims(results), all),
    claimsNote: SOME_CHANGES,
  };
}
