import { estimate } from '../../report';
import { NO_CHANGES } from '../explain';
import { verdictText } from '../report/verdict';
import type {
  Cell,
  ExperimentClaim,
  ExperimentFigure,
  ExperimentReport,
  ExperimentSeries,
  ExperimentTable,
} from '../types';
import { explained } from './ablations';
import { queueTables, readingTables } from './change-tables';
import { claimsOf, READINGS } from './claims';
import { controlLabel, labelOf, PATH_LEVEL, type CcSeries, type Control } from './job';
import { CONTROLS } from './plan';
import { paperValue, QUANTITIES, TABLE_3, type QuantityName } from './paper';
import { INFERENCES, STATEMENTS } from './statements';
import { CcValues, type CcResult } from './values';

export const PAPER =
  'Łuczak, Ignaciuk, Morawski: Evaluating MPTCP Congestion Control Algorithms: Implications for Streaming in Open ' +
  'Internet. Future Internet 2023, 15(10), 328';

/** The origin of the outcomes. */
export type CcBackend = 'simulated' | 'kernel';

const DONE: Readonly<Record<CcBackend, string>> = { simulated: 'simulated', kernel: 'measured' };

const isPairOf = (scope: 'total' | 'per-path') => (control: Control) =>
  control.kind === 'pair' && control.scope === scope;

const COLUMNS: ExperimentTable['columns'] = [
  { label: 'Control' },
  ...QUANTITIES.map((name) => {
    const { label, unit, digits } = TABLE_3[name];
    return { label, unit, digits };
  }),
];

function tableOf(
  title: string,
  note: string,
  controls: readonly Control[],
  cell: (control: Control, name: QuantityName) => Cell,
): ExperimentTable {
  return {
    title,
    columns: COLUMNS,
    rows: controls.map((control) => [
      controlLabel(control),
      ...QUANTITIES.map((name) => cell(control, name)),
    ]),
    note,
  };
}

function tablesOf(values: CcValues, backend: CcBackend): ExperimentTable[] {
  const measured = (control: Control, name: QuantityName): Cell =>
    estimate([...values.of(control, name).values()]);
  const paper = (control: Control, name: QuantityName): Cell =>
    control.kind === 'pair' ? paperValue(name, control.coupled, control.path) : null;
  const pairs = CONTROLS.filter(isPairOf('total'));
  return [
    tableOf(
      `Table 3, ${DONE[backend]}`,
      'Means over the runs with their 95 % confidence intervals. Maxima are of each run, then averaged. The coupled windows bound the connection as a whole.',
      pairs,
      measured,
    ),
    tableOf('Table 3 of the paper', 'Measured over two real LTE networks.', pairs, paper),
    tableOf(
      'The other reading: path by path',
      'Each coupled window bounds its own path, beside the window of the control at the path level.',
      CONTROLS.filter(isPairOf('per-path')),
      measured,
    ),
    tableOf(
      'One control alone',
      'As kernels have it without the paper’s change: coupled, or one of its own on each path.',
      CONTROLS.filter(({ kind }) => kind === 'alone'),
      measured,
    ),
  ];
}

function barsOf(
  values: CcValues,
  name: QuantityName,
  title: string,
  backend: CcBackend,
): ExperimentFigure {
  const pairs = CONTROLS.filter(isPairOf('total'));
  const { unit } = TABLE_3[name];
  const ours = pairs.flatMap((control, x) => {
    const { mean, low, high } = estimate([...values.of(control, name).values()]);
    if (mean === null) return [];
    return [{ x, y: mean, ...(low === null || high === null ? {} : { low, high }) }];
  });
  const paper = pairs.flatMap((control, x) => {
    const y = control.kind === 'pair' ? paperValue(name, control.coupled, control.path) : null;
    return y === null ? [] : [{ x, y }];
  });
  return {
    title,
    kind: 'bars',
    x: { label: 'Pair', names: pairs.map(controlLabel) },
    y: { label: TABLE_3[name].label, unit, from: 0 },
    series: [
      { label: DONE[backend], points: ours },
      { label: 'the paper', points: paper },
    ],
    note: '',
  };
}

/** A plot of the paper's Figs. 3 and 4: one run of the four coupled controls over one at the path level. */
interface Plot {
  /** Subfigures over Reno, Cubic and BBR. */
  places: readonly string[];
  label: string;
  unit: string;
  pick: (series: CcSeries) => readonly number[];
  scale: number;
}

const PLOTS: readonly Plot[] = [
  ...[1, 2].map((path) => ({
    places: ['3a', '3c', '3e'],
    label: `Path delay, path ${path}`,
    unit: 'ms',
    pick: ({ srttMs }: CcSeries) => srttMs[path - 1] ?? [],
    scale: 1,
  })),
  {
    ...{ places: ['3b', '3d', '3f'], label: 'Protocol delay', unit: 'ms', scale: 1 },
    pick: ({ protocolMs }) => protocolMs,
  },
  {
    ...{ places: ['4a', '4c', '4e'], label: 'HoL degree', unit: 'ms', scale: 1 },
    pick: ({ holMs }) => holMs,
  },
  {
    ...{ places: ['4b', '4d', '4f'], label: 'Throughput', unit: 'Mbit/s', scale: 1e-6 },
    pick: ({ goodputBps }) => goodputBps,
  },
];

/** Interval between points of a plot; the first points appear once there are samples. */
const POINT_S = 0.1;

function plotsOf(results: readonly CcResult[], durationMs: number): ExperimentFigure[] {
  return PLOTS.flatMap(({ places, label, unit, pick, scale }) =>
    PATH_LEVEL.map((path, index): ExperimentFigure => {
      const series = results.flatMap(({ job: { control }, outcome }): ExperimentSeries[] => {
        const isShown = isPairOf('total')(control) && control.kind === 'pair';
        if (!isShown || control.path !== path || outcome.series === undefined) return [];
        const points = pick(outcome.series);
        const fromS = durationMs / 1000 - points.length * POINT_S;
        return [
          {
            label: labelOf(control.coupled),
            points: points.map((y, place) => ({ x: fromS + place * POINT_S, y: y * scale })),
          },
        ];
      });
      return {
        title: `Fig. ${places[index] ?? ''}: ${label}, ${labelOf(path)} at the path level`,
        kind: 'lines',
        x: { label: 'Time', unit: 's' },
        y: { label, unit, from: 0 },
        series,
        note: 'The first run.',
      };
    }),
  );
}

const ABLATED = `Where a statement differs, the runs of every pair are repeated with a change: deep queues (240 kB in place of 60 kB), no losses in the air, mainline’s scheduler in place of the lowest round trip first, deep queues without losses, mainline’s scheduler with the sum shared among the subflows as in the kernel (pairs as Fig. 1), OLIA’s ranking and wVegas’s weights as in their kernel code (the first 30 runs; with the others the first 120). A change is judged only if the same runs without it differ too, and only "agrees" shows a cause: a statement that these runs do not decide may lack runs.`;

/** The rule of all verdicts. */
const RULES: readonly string[] = [
  'A statement holds if each of its comparisons does: "the highest of all pairs" is eleven comparisons, "in all three combinations" nine. Compared are means over the runs, as equations 3 to 9 average them, by their differences run by run. The statement agrees if Student’s 95 % interval of each difference excludes 0. It differs if the interval of one of them excludes a lead of 2 %; this interval is widened for the number of comparisons (Bonferroni). All else is undecided. The table prints the comparison that decides, and its interval.',
  '"Similarly" and "closely" are within 5 %, the spread of Table 3’s mean round trips of path 2, which the paper calls similar. "About" is within 25 %, because the paper calls HoL degrees of 15 to 19 ms "around 20 ms".',
];

/** The differences of the backends. */
const METHOD: Readonly<Record<CcBackend, readonly string[]>> = {
  simulated: [
    'A pair is read as the paper’s Fig. 1 draws it. The coupled control is a master: it bounds the data of the whole connection in the network by the sum of the windows it would give its subflows. The scheduler distributes this data, lowest round trip first, as by default in MPTCP 0.95. Reno, Cubic or BBR governs each path by itself. The paper changed MPTCP 0.95 for that and does not give the rule by which both windows meet; a second table has the other reading.',
    'Delays are sampled every 10 ms at the sender, from the scheduler’s choice of a path to the acknowledgement at connection level. An acknowledgement may come back over the other path, so a protocol delay may be below the longest round trip. Throughput’s maximum is of half a second; drops are counted on the links.',
  ],
  kernel: [
    'The paper changed MPTCP 0.95 and does not give the rule by which the windows of a pair meet. In the first table the coupled windows bound the connection by their sum, in the second each bounds its own path. The rule of the first is not the simulator’s, where the path with the lowest round trip takes from the sum first.',
    'Linux MPTCP sends over links of the user-space emulator; a pair is two windows in BPF: the kernel’s own Reno, Cubic or BBR, and the coupled control (native/congestion). The scheduler is the kernel’s, which shares data by rate; so the subflows share the coupled sum in proportion to what their paths allow, two segments at least each.',
    'Protocol delay and HoL degree come from the sequence numbers on the links, from the first transmission to the acknowledgement at connection level. A wait in the sender behind the scheduler is not measured. Round trips are the sender’s own, every 10 ms. Throughput is what the client’s kernel has in order; drops are counted on the links.',
  ],
};

/** Inferences from Table 3 with our verdicts, as a table: they are no statements of the paper. */
function inferenceTable(claims: readonly ExperimentClaim[]): ExperimentTable {
  return {
    title: 'Inferred from Table 3',
    columns: ['place', 'inferred', 'here', 'verdict', 'why'].map((label) => ({ label })),
    rows: claims.map(({ place, paper, ours, agrees, why }) => [
      place,
      paper,
      ours,
      verdictText({ agrees }),
      why ?? '',
    ]),
    note: 'Table 3 shows this, but the paper does not say it. The counts of statements leave it out.',
  };
}

/** Counts by reading, because each statement is judged twice. */
function countsText(claims: readonly ExperimentClaim[], backend: CcBackend): string {
  const half = claims.length / READINGS.length;
  const readings = READINGS.map(({ label }, index) => {
    const own = claims.slice(index * half, (index + 1) * half);
    const count = (agrees: boolean | null): number =>
      own.filter((claim) => claim.agrees === agrees).length;
    return `${label}, ${count(true)} agree, ${count(false)} differ, ${count(null)} undecided`;
  });
  const unchanged = backend === 'kernel' ? ` ${NO_CHANGES}` : '';
  return `They are ${half} statements under two readings of a pair: ${readings.join('; ')}.${unchanged}`;
}

export const reportCc = (results: readonly CcResult[]): ExperimentReport =>
  reportOn(results, 'simulated');

export function reportOn(all: readonly CcResult[], backend: CcBackend): ExperimentReport {
  const results = all.filter(({ job }) => job.ablation === undefined);
  const values = new CcValues(results);
  const runs = new Set(results.map(({ job }) => job.trial)).size;
  const durationMs = results[0]?.job.durationMs ?? 0;
  // The kept runs of the kernel lack quantities that were added later.
  const measured = STATEMENTS.filter(
    ({ comparisons }) =>
      backend === 'simulated' || comparisons.every(([{ name }]) => values.hasAny(name)),
  );
  const [claims, inferences] = [measured, INFERENCES].map((statements) => {
    const judge = (from: CcValues): ExperimentClaim[] => claimsOf(from, statements);
    return explained(judge(values), all, judge);
  });
  return {
    name: backend === 'kernel' ? 'cc-kernel' : 'cc',
    title: 'Congestion control of MPTCP over two LTE paths',
    paper: PAPER,
    simulated: backend === 'simulated',
    method: [
      `${runs} runs of ${durationMs / 1000} s of every control, each run over the same network for all of them; a download as fast as it goes.`,
      'Two LTE paths: stretches of real LTE rates (collection of Ghent) scaled to 12 Mbit/s in the mean. They have 70 and 48 ms of round trip, normal jitter of 2 and 4 ms, 0.3 % loss, droptail of 60 kB. The paper used the networks of two operators as they were.',
      ...METHOD[backend],
      ...(all.length > results.length ? [ABLATED] : []),
      ...RULES,
    ],
    tables: [
      inferenceTable(inferences ?? []),
      ...tablesOf(values, backend),
      ...readingTables(all),
      ...queueTables(all),
    ],
    figures: [
      barsOf(values, 'goodputMean', 'Table 3: throughput', backend),
      barsOf(values, 'protocolMean', 'Table 3: protocol delay', backend),
      barsOf(values, 'holMean', 'Table 3: head-of-line degree', backend),
      ...plotsOf(results, durationMs),
    ].filter(({ series }) => series.length > 0),
    claims: claims ?? [],
    claimsNote: countsText(claims ?? [], backend),
  };
}
