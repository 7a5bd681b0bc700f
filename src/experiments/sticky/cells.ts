import { mean } from '../../core';
import type { BySeed } from '../judge';
import type { StickyJob, StickyOutcome } from './run-sticky';
import type { StickyControl, StickyScenario, StickyScheduler } from './set-up';

/** Reads one value of an outcome. */
export type Measure = (outcome: StickyOutcome) => number;

export type Trials = BySeed;

export interface CellName {
  scenario: StickyScenario['id'];
  control: StickyControl;
  scheduler: StickyScheduler;
}

/** The outcomes by cell and trial; a trial that is missing in one cell is left out of comparisons. */
export class Cells {
  readonly #outcomes = new Map<string, Map<number, StickyOutcome>>();

  constructor(results: readonly { job: StickyJob; outcome: StickyOutcome }[]) {
    for (const { job, outcome } of results) {
      const key = keyOf({ ...job, scenario: job.scenario.id });
      const trials = this.#outcomes.get(key) ?? new Map<number, StickyOutcome>();
      this.#outcomes.set(key, trials.set(job.seed, outcome));
    }
  }

  of(cell: CellName, measure: Measure): Trials {
    const outcomes = this.#outcomes.get(keyOf(cell)) ?? new Map<number, StickyOutcome>();
    return new Map([...outcomes].map(([seed, outcome]) => [seed, measure(outcome)]));
  }

  /** The mean of several cells, per trial. */
  meanOf(cells: readonly CellName[], measure: Measure): Trials {
    const [first, ...others] = cells.map((cell) => this.of(cell, measure));
    const means = new Map<number, number>();
    for (const [seed, value] of first ?? []) {
      const values = [value, ...others.map((trials) => trials.get(seed) ?? NaN)];
      const centre = mean(values);
      if (centre !== undefined && !Number.isNaN(centre)) means.set(seed, centre);
    }
    return means;
  }
}

function keyOf({ scenario, control, scheduler }: CellName): string {
  return `${scenario} ${control} ${scheduler}`;
}
