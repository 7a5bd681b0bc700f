import { estimate } from '../../report';
import type { Cell, ExperimentTable } from '../types';
import { isPrinted, type StickyAblation } from './ablation-names';
import { ABLATION_TRIALS, ablatedCells, PRINTED_TRIALS } from './ablations';
import type { Cells, CellName } from './cells';
import { DISCARDS, SWITCHES, throughput, UNDERFLOWS, type NamedMeasure } from './measures';
import type { StickyJob, StickyOutcome } from './run-sticky';
import { controlNames, scenarios, schedulerNames } from './set-up';

type Results = readonly { job: StickyJob; outcome: StickyOutcome }[];

const first = (trials: number): string => `The first ${trials} trials.`;

function cell(cells: Cells | undefined, name: CellName, { of }: NamedMeasure): Cell {
  return estimate(cells === undefined ? [] : [...cells.of(name, of).values()]);
}

/** TR-STY by both readings of its condition, beside DFT. */
export function readingsTable(results: Results): ExperimentTable {
  const found = ablatedCells(results);
  const of = (ablation: StickyAblation) => found.find((one) => one.ablation === ablation);
  const setUp = {
    as: '',
    same: of('tr-sty-printed')?.same,
    printed: of('tr-sty-printed')?.changed,
  };
  const noLoss = {
    as: ', no losses on Wi-Fi',
    same: of('no-wifi-loss')?.changed,
    printed: of('tr-sty-printed-no-wifi-loss')?.changed,
  };
  const sets = [
    ...scenarios.map(({ id }) => ({ id, ...setUp })),
    ...(noLoss.printed === undefined ? [] : [{ id: 'base' as const, ...noLoss }]),
  ];
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
    rows: sets.flatMap(({ id, as, same, printed }) =>
      controlNames.map((control): Cell[] => [
        `${id}${as}`,
        control,
        ...measures.flatMap((measure) => {
          const tr = { scenario: id, control, scheduler: 'TR-STY' } as const;
          return [
            cell(same, { ...tr, scheduler: 'DFT' }, measure),
            cell(same, tr, measure),
            cell(printed, tr, measure),
          ];
        }),
      ]),
    ),
    note: `${first(PRINTED_TRIALS)} Without losses on Wi-Fi: the first ${ABLATION_TRIALS}. TR-STY moves to a faster path with a shorter round trip; as printed, with a longer one.`,
  };
}

/** The base scenario with one property changed. */
export function ablationTable(results: Results): ExperimentTable {
  const measures = [UNDERFLOWS, SWITCHES, throughput(0), throughput(2)];
  const all = ablatedCells(results).filter(({ ablation }) => !isPrinted(ablation));
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
    note: `${first(ABLATION_TRIALS)} Flows in Mbit/s.`,
  };
}
