import { estimate } from '../../report';
import type { MasterScope } from '../../sim';
import type { Cell, ExperimentTable } from '../types';
import type { Ablation } from './ablation-names';
import { CHANGE_TRIALS, QUEUE_TRIALS, READING_TRIALS } from './ablations';
import { READINGS } from './claims';
import { controlLabel, COUPLED, labelOf, PATH_LEVEL, type Control, type Coupled } from './job';
import { quantityOf, type ValueName } from './paper';
import { CcValues, type CcResult } from './values';

/** Queue sizes of the table, with the change that has each; undefined: the set-up. */
const QUEUE_SIZES: readonly { kb: number; ablation: Ablation | undefined }[] = [
  { kb: 30, ablation: 'queue-30-kb' },
  { kb: 60, ablation: undefined },
  { kb: 120, ablation: 'queue-120-kb' },
  { kb: 240, ablation: 'deep-queues' },
  { kb: 480, ablation: 'queue-480-kb' },
];

const QUEUE_COLUMNS: readonly ValueName[] = [
  'drops1',
  'drops2',
  'srtt1Max',
  'srtt2Max',
  'goodputMean',
];

const cellOf = (values: CcValues, controls: readonly Control[], name: ValueName): Cell =>
  estimate([...values.ofAll(controls, name).values()]);

/** A path's quantity is named with its path. */
const columnOf = (name: ValueName): ExperimentTable['columns'][0] => {
  const { label, unit, digits } = quantityOf(name);
  const path = /^srtt(\d)Max$/.exec(name)?.[1];
  return { label: path === undefined ? label : `Maximum SRTT, path ${path}`, unit, digits };
};

/** By queue size and control at the path level: the first trials, means over the coupled controls. */
export function queueTables(results: readonly CcResult[]): ExperimentTable[] {
  if (!results.some(({ job }) => job.ablation === 'queue-30-kb')) return [];
  const rows = QUEUE_SIZES.flatMap(({ kb, ablation }) => {
    const own = results.filter(({ job }) => job.ablation === ablation && job.trial <= QUEUE_TRIALS);
    const values = new CcValues(own);
    return READINGS.flatMap(({ scope, label }) =>
      PATH_LEVEL.map((path): Cell[] => {
        const controls = COUPLED.map((coupled): Control => ({
          kind: 'pair',
          coupled,
          path,
          scope,
        }));
        return [
          kb,
          labelOf(path),
          label,
          ...QUEUE_COLUMNS.map((name) => cellOf(values, controls, name)),
        ];
      }),
    );
  });
  return [
    {
      title: 'By queue size',
      columns: [
        { label: 'Queue', unit: 'kB', digits: 0 },
        { label: 'Path level' },
        { label: 'Reading' },
        ...QUEUE_COLUMNS.map(columnOf),
      ],
      rows,
      note: `Means over the four coupled controls, of the first ${QUEUE_TRIALS} runs. A queue of 60 kB, 40 ms at the mean rate, is that of all other tables. These sizes are no changes of the verdicts, but for 240 kB.`,
    },
  ];
}

const READ_COLUMNS: readonly ValueName[] = ['goodputMean', 'protocolMean', 'dropsBoth'];

/** Changes of one kind, a row for each pair and reading that they concern. */
interface Readings {
  title: string;
  changes: readonly { ablation: Ablation; label: string; coupled: readonly Coupled[] }[];
  scopes: readonly MasterScope[];
  /** The first trials, with the change and without it. */
  trials: number;
  note: string;
}

const READINGS_TABLES: readonly Readings[] = [
  {
    title: 'As in the kernel',
    changes: [
      { ablation: 'as-in-the-kernel', label: 'mainline’s scheduler, shared sum', coupled: COUPLED },
    ],
    scopes: ['total'],
    trials: CHANGE_TRIALS,
    note: `The first ${CHANGE_TRIALS} runs of these pairs once more, over the same networks. The subflows share the sum of the coupled windows in proportion to their paths’ windows, as the BPF controls do, and mainline’s scheduler distributes the data.`,
  },
  {
    title: 'OLIA and wVegas as in their kernel code',
    changes: [
      { ablation: 'olia-kernel-ranking', label: 'ranks by l / rtt²', coupled: ['olia'] },
      { ablation: 'wvegas-instant-rate', label: 'weighs by instant_rate', coupled: ['wvegas'] },
    ],
    scopes: ['total', 'per-path'],
    trials: READING_TRIALS,
    note: `The first ${READING_TRIALS} runs of these pairs once more, over the same networks. Nothing else is changed.`,
  },
];

/** Pairs with a change beside the same pairs without it, over the same networks. */
export function readingTables(results: readonly CcResult[]): ExperimentTable[] {
  return READINGS_TABLES.flatMap(({ title, changes, scopes, trials, note }) => {
    const base = new CcValues(
      results.filter(({ job }) => job.ablation === undefined && job.trial <= trials),
    );
    const rows = changes.flatMap(({ ablation, label, coupled }) => {
      const own = results.filter(({ job }) => job.ablation === ablation);
      if (own.length === 0) return [];
      const changed = new CcValues(own);
      return pairsOf(coupled, scopes).map(({ control, reading }) =>
        rowOf({ base, changed, control, reading, label }),
      );
    });
    if (rows.length === 0) return [];
    const columns = READ_COLUMNS.flatMap((name) => {
      const column = columnOf(name);
      return [column, { ...column, label: 'with the change' }];
    });
    return [{ title, columns: [{ label: 'Pair' }, { label: 'Change' }, ...columns], rows, note }];
  });
}

function pairsOf(
  coupled: readonly Coupled[],
  scopes: readonly MasterScope[],
): { control: Control; reading: string }[] {
  return coupled.flatMap((name) =>
    READINGS.filter(({ scope }) => scopes.includes(scope)).flatMap(({ scope, label }) =>
      PATH_LEVEL.map((path) => ({
        control: { kind: 'pair', coupled: name, path, scope },
        reading: label,
      })),
    ),
  );
}

function rowOf(row: {
  base: CcValues;
  changed: CcValues;
  control: Control;
  reading: string;
  label: string;
}): Cell[] {
  const { base, changed, control, reading, label } = row;
  return [
    `${controlLabel(control)}, ${reading}`,
    label,
    ...READ_COLUMNS.flatMap((name) => [
      cellOf(base, [control], name),
      cellOf(changed, [control], name),
    ]),
  ];
}
