import type { ExperimentClaim } from '../types';
import type { CellName, Cells, Trials } from './cells';
import type { Judgement, NamedJudgement, SchemeComparison } from './judge';
import { DISCARDS, UNDERFLOWS, type NamedMeasure } from './measures';
import type { StickyControl, StickyScheduler } from './set-up';

export type Scenario = CellName['scenario'];

export const STICKY = ['GR-STY', 'TP-STY', 'TR-STY'] as const;
export const VIDEO = [UNDERFLOWS, DISCARDS];

export type Comparer = (
  control: StickyControl,
  measure: NamedMeasure,
  ours: readonly StickyScheduler[],
  reference: readonly StickyScheduler[],
) => SchemeComparison;

/** Compares the mean of some schedulers with that of others, as the mean of some scenarios. */
export function comparer(cells: Cells, scenarios: readonly Scenario[], unit?: string): Comparer {
  return (control, { of, digits, isEvents }, ours, reference) => {
    const trials = (schedulers: readonly StickyScheduler[]): Trials =>
      cells.meanOf(cellsOf(scenarios, [control], schedulers), of);
    return {
      ours: trials(ours),
      reference: trials(reference),
      digits,
      ...(unit === undefined ? {} : { unit }),
      ...(isEvents === true ? { isEvents } : {}),
    };
  };
}

/** Every combination. */
export function cellsOf(
  scenarios: readonly Scenario[],
  controls: readonly StickyControl[],
  schedulers: readonly StickyScheduler[],
): CellName[] {
  return scenarios.flatMap((scenario) =>
    controls.flatMap((control) =>
      schedulers.map((scheduler) => ({ scenario, control, scheduler })),
    ),
  );
}

/** A value of each trial that both have. */
export function perTrial(
  one: Trials,
  other: Trials,
  value: (one: number, other: number) => number,
): Trials {
  return new Map(
    [...one].flatMap(([seed, ours]): [number, number][] => {
      const beside = other.get(seed);
      return beside === undefined ? [] : [[seed, value(ours, beside)]];
    }),
  );
}

export function claim(place: string, paper: string, judgement: Judgement): ExperimentClaim {
  return { place, paper, ...judgement };
}

export function lower({ label }: NamedMeasure): string {
  return label.toLowerCase();
}

/** One part for each name. */
export function parts<Name extends string>(
  names: readonly Name[],
  judge: (name: Name) => Judgement,
): NamedJudgement[] {
  return names.map((name) => ({ name, judgement: judge(name) }));
}
