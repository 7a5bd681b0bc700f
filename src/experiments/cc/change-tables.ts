import { estimate } from '../../report';
import type { Cell, ExperimentTable } from '../types';
import type { Ablation } from './ablation-names';
import { QUEUE_TRIALS, READING_TRIALS } from './ablations';
import { READINGS } from './claims';
import { controlLabel, COUPLED, labelOf, PATH_LEVEL, type Control } from './job';
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
export function queueTable(results: readonly CcResult[]): ExperimentTable | undefined {
  if (!results.some(({ job }) => job.ablation === 'queue-30-kb')) return undefined;
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
  return {
    title: 'By queue size',
    columns: [
      { label: 'Queue', unit: 'kB', digits: 0 },
      { label: 'Path level' },
      { label: 'Reading' },
      ...QUEUE_COLUMNS.map(columnOf),
    ],
    rows,
    note: `Means over the four coupled controls, of the first ${QUEUE_TRIALS} runs. A queue of 60 kB, 40 ms at the mean rate, is that of all other tables. These sizes are no changes of the verdicts, but for 240 kB.`,
  };
}

const READ_COLUMNS: readonly ValueName[] = ['goodputMean', 'protocolMean', 'dropsBoth'];

/** Each reading of a control beside the one of their kernel code. */
const KERNEL_READINGS = [
  { coupled: 'olia', ablation: 'olia-kernel-ranking', label: 'ranks by l / rtt²' },
  { coupled: 'wvegas', ablation: 'wvegas-instant-rate', label: 'weighs by instant_rate' },
] as const;

/** OLIA's ranking and wVegas's weights as here and as in their kernel code, over the same networks. */
export function readingTable(results: readonly CcResult[]): ExperimentTable | undefined {
  const base = new CcValues(
    results.filter(({ job }) => job.ablation === undefined && job.trial <= READING_TRIALS),
  );
  const rows = KERNEL_READINGS.flatMap(({ coupled, ablation, label }) => {
    const own = results.filter(({ job }) => job.ablation === ablation);
    if (own.length === 0) return [];
    const changed = new CcValues(own);
    return READINGS.flatMap(({ scope, label: reading }) =>
      PATH_LEVEL.map((path): Cell[] => {
        const control: Control = { kind: 'pair', coupled, path, scope };
        return [
          `${controlLabel(control)}, ${reading}`,
          label,
          ...READ_COLUMNS.flatMap((name) => [
            cellOf(base, [control], name),
            cellOf(changed, [control], name),
          ]),
        ];
      }),
    );
  });
  if (rows.length === 0) return undefined;
  return {
    title: 'OLIA and wVegas as in their kernel code',
    columns: [
      { label: 'Pair' },
      { label: 'Change' },
      ...READ_COLUMNS.flatMap((name) => {
        const column = columnOf(name);
        return [column, { ...column, label: 'with the change' }];
      }),
    ],
    rows,
    note: `The first ${READING_TRIALS} runs of these pairs once more, over the same networks. Nothing else is changed.`,
  };
}
