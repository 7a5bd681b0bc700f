import type { ExperimentClaim } from '../types';
import type { Cells, Trials } from './cells';
import {
  cellsOf,
  claim,
  comparer,
  lower,
  parts,
  perTrial,
  STICKY,
  VIDEO,
  type Scenario,
} from './comparer';
import { all, atLeast, CLEAR_PERCENT, judgeLess, judgeMore, judgeSimilar } from './judge';
import { type NamedMeasure } from './measures';
import { controlNames, scenarios, schedulerNames } from './set-up';

const SCENARIOS = scenarios.map(({ id }) => id);
const UNCOUPLED = ['Cubic', 'Compound'] as const;
const COUPLED = ['LIA', 'OLIA'] as const;
/** More than half of the four controls. */
const MOST = 3;

/** I: "most TCP variants deliver better video performance when sticky scheduling is utilized". */
export function introduction(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, SCENARIOS);
  return VIDEO.map((measure) =>
    claim(
      'Section I',
      `Mean of the scenarios: fewer ${lower(measure)} with the sticky schedulers than with DFT, with most controls`,
      atLeast(
        MOST,
        parts(controlNames, (control) => judgeLess(beside(control, measure, STICKY, ['DFT']))),
      ),
    ),
  );
}

/** VI-A, Fig. 4. */
export function baseVideo(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, ['base']);
  const cubic = VIDEO.flatMap((measure) => [
    ...(['GR-STY', 'TP-STY'] as const).map((scheduler) =>
      claim(
        'Fig. 4',
        `Base, Cubic: clearly fewer ${lower(measure)} with ${scheduler} than with DFT`,
        judgeLess(beside('Cubic', measure, [scheduler], ['DFT'])),
      ),
    ),
    claim(
      'Fig. 4',
      `Base, Cubic: ${lower(measure)} with TR-STY similar to DFT`,
      judgeSimilar(beside('Cubic', measure, ['TR-STY'], ['DFT'])),
    ),
  ]);
  const others = (['Compound', 'LIA', 'OLIA'] as const).flatMap((control) =>
    VIDEO.map((measure) =>
      claim(
        'Fig. 4',
        `Base, ${control}: fewer ${lower(measure)} with DFT and TR-STY than with GR-STY and TP-STY`,
        judgeLess(beside(control, measure, ['DFT', 'TR-STY'], ['GR-STY', 'TP-STY'])),
      ),
    ),
  );
  return [...cubic, ...others];
}

/** VI-B, Fig. 7. */
export function smallDelay(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, ['3p-50']);
  const everything = (scenario: Scenario, { of }: NamedMeasure): Trials =>
    cells.meanOf(cellsOf([scenario], controlNames, schedulerNames), of);
  return [
    ...VIDEO.map((measure) =>
      claim(
        'Fig. 7',
        `Loss on the shortest path: more ${lower(measure)} in 3p-50 than in base (mean of all)`,
        judgeMore({
          ours: everything('3p-50', measure),
          reference: everything('base', measure),
          digits: measure.digits,
          isEvents: true,
        }),
      ),
    ),
    ...UNCOUPLED.flatMap((control) =>
      VIDEO.map((measure) =>
        claim(
          'Fig. 7',
          `3p-50, ${control}: fewer ${lower(measure)} with TR-STY than with DFT`,
          judgeLess(beside(control, measure, ['TR-STY'], ['DFT'])),
        ),
      ),
    ),
    ...COUPLED.flatMap((control) => coupledSimilar(cells, '3p-50', control, 'Fig. 7')),
  ];
}

/** VI-C, Fig. 8. Its conjecture on longer delays and the "diminishing returns" are the same statement. */
export function largeDelay(cells: Cells): ExperimentClaim[] {
  /** Events that the mean of the sticky schedulers saves, in % of DFT's; negative if it has more. */
  const saved = (some: readonly Scenario[], { of }: NamedMeasure): Trials => {
    const savings = perTrial(
      cells.meanOf(cellsOf(some, UNCOUPLED, ['DFT']), of),
      cells.meanOf(cellsOf(some, UNCOUPLED, STICKY), of),
      (dft, sticky) => (100 * (dft - sticky)) / dft,
    );
    return new Map([...savings].filter(([, percent]) => Number.isFinite(percent)));
  };
  return [
    ...VIDEO.map((measure) =>
      claim(
        'Fig. 8',
        `Cubic and Compound: the sticky schedulers save fewer ${lower(measure)} in 3p-150 than in base and 3p-50`,
        judgeLess({
          ours: saved(['3p-150'], measure),
          reference: saved(['base', '3p-50'], measure),
          digits: measure.digits,
          unit: "% of DFT's",
          margin: CLEAR_PERCENT,
        }),
      ),
    ),
    ...COUPLED.flatMap((control) => coupledSimilar(cells, '3p-150', control, 'Fig. 8')),
  ];
}

/** VII: sticky scheduling "may improve" Cubic and Compound, "while not impacting" LIA and OLIA. */
export function conclusion(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, SCENARIOS);
  return VIDEO.flatMap((measure) => [
    claim(
      'Section VII',
      `Mean of the scenarios, Cubic and Compound: fewer ${lower(measure)} with one sticky scheduler at least than with DFT`,
      all(
        parts(UNCOUPLED, (control) =>
          atLeast(
            1,
            parts(STICKY, (one) => judgeLess(beside(control, measure, [one], ['DFT']))),
          ),
        ),
      ),
    ),
    claim(
      'Section VII',
      `Mean of the scenarios, LIA and OLIA: ${lower(measure)} similar across all schedulers`,
      all(
        parts(COUPLED, (control) =>
          all(parts(STICKY, (one) => judgeSimilar(beside(control, measure, [one], ['DFT'])))),
        ),
      ),
    ),
  ]);
}

function coupledSimilar(
  cells: Cells,
  scenario: Scenario,
  control: (typeof COUPLED)[number],
  place: string,
): ExperimentClaim[] {
  const beside = comparer(cells, [scenario]);
  return VIDEO.map((measure) =>
    claim(
      place,
      `${scenario}, ${control}: ${lower(measure)} similar across all schedulers`,
      all(parts(STICKY, (one) => judgeSimilar(beside(control, measure, [one], ['DFT'])))),
    ),
  );
}
