import { estimate } from '../../report';
import type { Cell, ExperimentFigure, ExperimentTable } from '../types';
import type { WindowsOutcome } from './jobs';
import { WINDOW_PAIRS, WINDOW_VARIANTS } from './plan';
import type { MptcpPlusResults } from './results';
import { SYSTEM_TITLES, type Variant } from './variants';

type Place = keyof typeof WINDOW_PAIRS;
const PLACES = Object.keys(WINDOW_PAIRS) as Place[];
const PATHS = ['Fast path', 'Slow path'] as const;

const COLUMNS: readonly {
  label: string;
  unit?: string;
  digits: number;
  of: (outcome: WindowsOutcome) => number | null;
}[] = [
  { label: 'Variation of the sum', digits: 3, of: ({ totalVariation }) => totalVariation },
  { label: 'of the fast path’s', digits: 3, of: ({ fastVariation }) => fastVariation },
  { label: 'Bitrate', unit: 'kbit/s', digits: 0, of: ({ bitrateBps }) => bitrateBps / 1e3 },
  { label: 'Switches', digits: 1, of: ({ switches }) => switches },
  {
    label: 'theta below 1',
    unit: '% of acknowledgements',
    digits: 2,
    of: ({ smoothedAcks }) => (smoothedAcks === null ? null : 100 * smoothedAcks),
  },
  {
    label: 'theta below 1',
    unit: '% of reductions',
    digits: 2,
    of: ({ smoothedReductions }) => (smoothedReductions === null ? null : 100 * smoothedReductions),
  },
];

const runsAt = (results: MptcpPlusResults, place: Place, variant: Variant) =>
  results.windows.filter(
    ({ job }) =>
      job.variant === variant &&
      job.averageKbps === WINDOW_PAIRS[place].averageKbps &&
      job.ratio === WINDOW_PAIRS[place].ratio,
  );

/** The windows of MCC by its readings, beside LIA's. */
export function windowsTable(results: MptcpPlusResults): ExperimentTable {
  return {
    title: 'MCC’s smoothing',
    columns: [
      { label: 'Average', unit: 'kbit/s' },
      { label: 'C1/C2' },
      { label: 'Variant' },
      ...COLUMNS.map(({ label, unit, digits }) =>
        unit === undefined ? { label, digits } : { label, unit, digits },
      ),
    ],
    rows: PLACES.flatMap((place) =>
      WINDOW_VARIANTS.map((variant): Cell[] => [
        WINDOW_PAIRS[place].averageKbps,
        WINDOW_PAIRS[place].ratio,
        SYSTEM_TITLES[variant],
        ...COLUMNS.map(({ of }) =>
          estimate(runsAt(results, place, variant).flatMap(({ outcome }) => of(outcome) ?? [])),
        ),
      ]),
    ),
    note: 'Variation: standard deviation over mean of the windows, sampled every 100 ms while data moves.',
  };
}

/** Figs. 2 and 4: the first run over time. */
export function windowsFigures(results: MptcpPlusResults): ExperimentFigure[] {
  const lines = (
    title: string,
    place: Place,
    variant: Variant,
    y: ExperimentFigure['y'],
    series: (outcome: WindowsOutcome) => readonly [string, readonly number[]][],
  ): ExperimentFigure[] => {
    const [run] = runsAt(results, place, variant);
    if (run === undefined) return [];
    return [
      {
        title,
        kind: 'lines',
        x: { label: 'Time', unit: 's' },
        y: { ...y, from: 0 },
        series: series(run.outcome).map(([label, values]) => ({
          label,
          points: values.map((value, x) => ({ x, y: value })),
        })),
        note: 'One run. The bitrate is that of each segment of 1 s.',
      },
    ];
  };
  const rates = (place: 'Fig. 2a' | 'Fig. 2b'): ExperimentFigure[] =>
    lines(
      `${place}: rate of each path and bitrate, C1/C2 ${WINDOW_PAIRS[place].ratio}`,
      place,
      'mptcp',
      { label: 'Rate', unit: 'kbit/s' },
      ({ ratesKbps, bitratesKbps }) => [
        ...PATHS.map((label, index): [string, readonly number[]] => [
          label,
          ratesKbps[index] ?? [],
        ]),
        ['Bitrate', bitratesKbps],
      ],
    );
  const windows = (variant: Variant): ExperimentFigure[] =>
    lines(
      `Fig. 4: windows over two paths of 500 kbit/s, ${SYSTEM_TITLES[variant]}`,
      'Fig. 4',
      variant,
      { label: 'Window', unit: 'segments' },
      (outcome) => [
        ...PATHS.map((label, index): [string, readonly number[]] => [
          label,
          outcome.windows[index] ?? [],
        ]),
        ['Sum', outcome.windows[0].map((value, index) => value + (outcome.windows[1][index] ?? 0))],
      ],
    );
  return [...rates('Fig. 2a'), ...rates('Fig. 2b'), ...WINDOW_VARIANTS.flatMap(windows)];
}
