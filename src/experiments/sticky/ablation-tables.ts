import { estimate } from '../../report';
import type { Cell, ExperimentTable } from '../types';
import { ABLATION_TRIALS, ablatedCells } from './ablations';
import type { Cells, CellName } from './cells';
import { DISCARDS, SWITCHES, throughput, UNDERFLOWS, type NamedMeasure } from './measures';
import type { StickyJob, StickyOutcome } from './run-sticky';
import { controlNames, scenarios, schedulerNames } from './set-up';

type Results = readonly { job: StickyJob; outcome: StickyOutcome }[];

const FIRST = `The first ${ABLATION_TRIALS} trials.`;

function cell(cells: Cells | undefined, name: CellName, { of }: NamedMeasure): Cell {
  return estimate(cells === undefined ? [] : [...cells.of(name, of).values()]);
}

/** TR-STY by both readings of its condition, beside DFT. */
export function readingsTable(results: Results): ExperimentTable {
  const found = ablatedCells(results).find(({ ablation }) => ablation === 'tr-sty-printed');
  const measures = [SWITCHES, UNDERFLOWS, DISCARDS];
  return {
    title: 'TR-STY, both readings',
    columns: [
      { label: 'Scenario' },
      { label: 'Control' },
      ...measures.flatMap(({ label, digits }) =>
        ['DFT', 'TR-STY', 'as printed'].map((which) => ({ label: `${label}, ${which}`, digits })),
      ),
    ],
    rows: scenarios.flatMap(({ id }) =>
      controlNames.map((control): Cell[] => [
        id,
        control,
        ...measures.flatMap((measure) => {
          const tr = { scenario: id, control, scheduler: 'TR-STY' } as const;
          return [
            cell(found?.same, { ...tr, scheduler: 'DFT' }, measure),
            cell(found?.same, tr, measure),
            cell(found?.changed, tr, measure),
          ];
        }),
      ]),
    ),
    note: `${FIRST} TR-STY moves to a faster path with a shorter round trip; as printed, with a longer one.`,
  };
}

/** The base scenario with one property changed. */
export function ablationTable(results: Results): ExperimentTable {
  const measures = [UNDERFLOWS, SWITCHES, throughput(0), throughput(2)];
  const all = ablatedCells(results).filter(({ ablation }) => ablation !== 'tr-sty-printed');
  const same = all[0]?.same;
  const sets = [
    ...(same === undefined ? [] : [{ label: 'as above', cells: same }]),
    ...all.map(({ label, changed }) => ({ label, cells: changed })),
  ];
  return {
    title: 'The base scenario with one property changed',
    columns: [
      { label: 'With' },
      { label: 'Control' },
      { label: 'Scheduler' },
      ...measures.map(({ label, digits }) => ({ label, digits })),
    ],
    rows: sets.flatMap(({ label, cells }) =>
      controlNames.flatMap((control) =>
        schedulerNames.map((scheduler): Cell[] => [
          label,
          control,
          scheduler,
          ...measures.map((measure) =>
            cell(cells, { scenario: 'base', control, scheduler }, measure),
          ),
        ]),
      ),
    ),
    note: `${FIRST} Flows in Mbit/s.`,
  };
}
