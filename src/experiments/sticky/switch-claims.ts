import { mean } from '../../core';
import type { ExperimentClaim } from '../types';
import type { Cells, Trials } from './cells';
import { claim, comparer, lower, parts, perTrial, STICKY, VIDEO } from './comparer';
import {
  all,
  atLeast,
  judgeLess,
  judgeMore,
  NOT_SIMULATED,
  type Judgement,
  type NamedJudgement,
  type SchemeComparison,
} from './judge';
import { SWITCHES, type NamedMeasure } from './measures';
import {
  controlNames,
  scenarios,
  schedulerNames,
  type StickyControl,
  type StickyScheduler,
} from './set-up';

/** VI-A, Fig. 5. */
export function baseSwitches(cells: Cells): ExperimentClaim[] {
  const perControl = (judge: (control: StickyControl) => Judgement): Judgement =>
    all(parts(controlNames, judge));
  const pair = (
    control: StickyControl,
    one: StickyScheduler,
    other: StickyScheduler,
  ): SchemeComparison => comparer(cells, ['base'])(control, SWITCHES, [one], [other]);
  return [
    ...(['TP-STY', 'TR-STY', 'DFT'] as const).map((other) =>
      claim(
        'Fig. 5',
        `Base: fewer path switches with GR-STY than with ${other}`,
        perControl((control) => judgeLess(pair(control, 'GR-STY', other))),
      ),
    ),
    claim(
      'Fig. 5',
      'Base: more path switches with TR-STY than with TP-STY',
      perControl((control) => judgeMore(pair(control, 'TR-STY', 'TP-STY'))),
    ),
    claim(
      'Fig. 5',
      'Base: path switches with TR-STY closely follow those of DFT: they differ less from it than those of GR-STY and TP-STY',
      perControl((control) => judgeLess(distances(cells, control))),
    ),
  ];
}

/** VII: the proposed schedulers "reduce path switching among available paths". */
export function fewerSwitches(cells: Cells): ExperimentClaim[] {
  const ids = scenarios.map(({ id }) => id);
  return [
    claim(
      'Section VII',
      'Mean of the scenarios: fewer path switches with the sticky schedulers than with DFT, with each control',
      all(
        parts(controlNames, (control) =>
          judgeLess(comparer(cells, ids)(control, SWITCHES, STICKY, ['DFT'])),
        ),
      ),
    ),
  ];
}

/** Distance from DFT's switches in each trial: TR-STY's, and the smaller one of GR-STY's and TP-STY's means. */
function distances(cells: Cells, control: StickyControl): SchemeComparison {
  const distance = (scheduler: StickyScheduler): Trials => {
    const [one, dft] = [scheduler, 'DFT' as const].map((name) =>
      cells.of({ scenario: 'base', control, scheduler: name }, SWITCHES.of),
    );
    return perTrial(one ?? new Map(), dft ?? new Map(), (ours, beside) => Math.abs(ours - beside));
  };
  const [greedy, byRate] = [distance('GR-STY'), distance('TP-STY')];
  return {
    ours: distance('TR-STY'),
    reference: meanOf(greedy) <= meanOf(byRate) ? greedy : byRate,
    digits: SWITCHES.digits,
  };
}

/** "The scheduler that delivers the lowest number of path switches is not necessarily" the best in Fig. 4. */
export function fewestSwitches(cells: Cells): ExperimentClaim[] {
  return VIDEO.map((measure) =>
    claim(
      'Fig. 5',
      `Base: with one control at least, another scheduler than the one with fewest path switches has fewer ${lower(measure)}`,
      atLeast(
        1,
        controlNames.map((control) => bestBesideFewest(cells, control, measure)),
      ),
    ),
  );
}

/** The best one of the other schedulers beside the one that switches least, by their means. */
function bestBesideFewest(
  cells: Cells,
  control: StickyControl,
  measure: NamedMeasure,
): NamedJudgement {
  const by = ({ of }: NamedMeasure, among: readonly StickyScheduler[]): StickyScheduler[] =>
    among
      .map((scheduler) => ({
        scheduler,
        value: meanOf(cells.of({ scenario: 'base', control, scheduler }, of)),
      }))
      .filter(({ value }) => Number.isFinite(value))
      .sort((one, other) => one.value - other.value)
      .map(({ scheduler }) => scheduler);
  const [fewest, ...others] = by(SWITCHES, schedulerNames);
  const best = by(measure, others)[0];
  if (fewest === undefined || best === undefined) {
    return { name: control, judgement: { ours: NOT_SIMULATED, agrees: null } };
  }
  return {
    name: `${control}, ${best} beside ${fewest}:`,
    judgement: judgeLess(comparer(cells, ['base'])(control, measure, [best], [fewest])),
  };
}

const meanOf = (trials: Trials): number => mean([...trials.values()]) ?? NaN;
