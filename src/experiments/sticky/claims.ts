import type { ExperimentClaim } from '../types';
import type { CellName, Cells, Trials } from './cells';
import {
  all,
  judgeLess,
  judgeMore,
  judgeSimilar,
  ONE_EVENT,
  type SchemeComparison,
  type Judgement,
} from './judge';
import { DISCARDS, SWITCHES, throughput, UNDERFLOWS, type NamedMeasure } from './measures';
import { controlNames, schedulerNames, type StickyControl, type StickyScheduler } from './set-up';

type Scenario = CellName['scenario'];

const STICKY = ['GR-STY', 'TP-STY', 'TR-STY'] as const;
const VIDEO = [UNDERFLOWS, DISCARDS];
const RATE_UNIT = 'Mbit/s';

/** Every statement of section VI that can be computed, beside ours. */
export function stickyClaims(cells: Cells): ExperimentClaim[] {
  return [
    ...baseVideo(cells),
    ...baseSwitches(cells),
    ...baseThroughput(cells),
    ...smallDelay(cells),
    ...largeDelay(cells),
  ];
}

/** VI-A, Fig. 4. */
function baseVideo(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, 'base');
  const cubic = VIDEO.flatMap((measure) => [
    ...(['GR-STY', 'TP-STY'] as const).map((scheduler) =>
      claim(
        'Fig. 4',
        `Base, Cubic: fewer ${lower(measure)} with ${scheduler} than with DFT`,
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

/** VI-A, Fig. 5. */
function baseSwitches(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, 'base');
  const perControl = (judge: (control: StickyControl) => Judgement): Judgement =>
    all(controlNames.map((control) => ({ name: control, judgement: judge(control) })));
  const pair = (
    control: StickyControl,
    one: StickyScheduler,
    other: StickyScheduler,
  ): SchemeComparison => beside(control, SWITCHES, [one], [other]);
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
      'Base: path switches with TR-STY closely follow those of DFT',
      perControl((control) => judgeSimilar(pair(control, 'TR-STY', 'DFT'))),
    ),
  ];
}

/** VI-A, Fig. 6. */
function baseThroughput(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, 'base', RATE_UNIT);
  const [flow1, flow3] = [throughput(0), throughput(2)];
  return controlNames.flatMap((control) => [
    claim(
      'Fig. 6',
      `Base, ${control}: DFT favours flow 1 over flow 3`,
      judgeMore({
        ours: cells.of({ scenario: 'base', control, scheduler: 'DFT' }, flow1.of),
        reference: cells.of({ scenario: 'base', control, scheduler: 'DFT' }, flow3.of),
        digits: flow1.digits,
        unit: RATE_UNIT,
      }),
    ),
    claim(
      'Fig. 6',
      `Base, ${control}: less over flow 1 with the sticky schedulers than with DFT`,
      judgeLess(beside(control, flow1, STICKY, ['DFT'])),
    ),
    claim(
      'Fig. 6',
      `Base, ${control}: more over flow 3 with the sticky schedulers than with DFT`,
      judgeMore(beside(control, flow3, STICKY, ['DFT'])),
    ),
  ]);
}

/** VI-B, Fig. 7. */
function smallDelay(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, '3p-50');
  const everything = (scenario: Scenario, measure: NamedMeasure): Trials =>
    cells.meanOf(
      controlNames.flatMap((control) =>
        schedulerNames.map((scheduler) => ({ scenario, control, scheduler })),
      ),
      measure.of,
    );
  return [
    ...VIDEO.map((measure) =>
      claim(
        'Fig. 7',
        `Loss on the shortest path: more ${lower(measure)} in 3p-50 than in base (mean of all)`,
        judgeMore({
          ours: everything('3p-50', measure),
          reference: everything('base', measure),
          digits: measure.digits,
          negligible: ONE_EVENT,
        }),
      ),
    ),
    ...(['Cubic', 'Compound'] as const).flatMap((control) =>
      VIDEO.map((measure) =>
        claim(
          'Fig. 7',
          `3p-50, ${control}: fewer ${lower(measure)} with TR-STY than with DFT`,
          judgeLess(beside(control, measure, ['TR-STY'], ['DFT'])),
        ),
      ),
    ),
    ...coupledSimilar(cells, '3p-50', 'Fig. 7'),
  ];
}

/** VI-C, Fig. 8. */
function largeDelay(cells: Cells): ExperimentClaim[] {
  /** Saving of the sticky schedulers, as mean of all three; negative if they cost more. */
  const saved = (scenario: Scenario, control: StickyControl, measure: NamedMeasure): Trials => {
    const { ours, reference } = comparer(cells, scenario)(control, measure, STICKY, ['DFT']);
    return new Map([...reference].map(([seed, value]) => [seed, value - (ours.get(seed) ?? NaN)]));
  };
  return [
    ...(['Cubic', 'Compound'] as const).flatMap((control) =>
      VIDEO.map((measure) =>
        claim(
          'Fig. 8',
          `${control}: sticky schedulers save fewer ${lower(measure)} in 3p-150 than in 3p-50`,
          judgeLess({
            ours: saved('3p-150', control, measure),
            reference: saved('3p-50', control, measure),
            digits: measure.digits,
            negligible: ONE_EVENT,
          }),
        ),
      ),
    ),
    ...coupledSimilar(cells, '3p-150', 'Fig. 8'),
  ];
}

function coupledSimilar(cells: Cells, scenario: Scenario, place: string): ExperimentClaim[] {
  const beside = comparer(cells, scenario);
  return (['LIA', 'OLIA'] as const).flatMap((control) =>
    VIDEO.map((measure) =>
      claim(
        place,
        `${scenario}, ${control}: ${lower(measure)} similar across all schedulers`,
        all(
          STICKY.map((scheduler) => ({
            name: scheduler,
            judgement: judgeSimilar(beside(control, measure, [scheduler], ['DFT'])),
          })),
        ),
      ),
    ),
  );
}

/** Compares the mean of some schedulers with that of others, in one scenario. */
function comparer(cells: Cells, scenario: Scenario, unit?: string) {
  return (
    control: StickyControl,
    { of, digits, isEvents }: NamedMeasure,
    ours: readonly StickyScheduler[],
    reference: readonly StickyScheduler[],
  ): SchemeComparison => {
    const trials = (schedulers: readonly StickyScheduler[]): Trials =>
      cells.meanOf(
        schedulers.map((scheduler) => ({ scenario, control, scheduler })),
        of,
      );
    return {
      ours: trials(ours),
      reference: trials(reference),
      digits,
      ...(unit === undefined ? {} : { unit }),
      ...(isEvents === true ? { negligible: ONE_EVENT } : {}),
    };
  };
}

function claim(place: string, paper: string, judgement: Judgement): ExperimentClaim {
  return { place, paper, ...judgement };
}

function lower({ label }: NamedMeasure): string {
  return label.toLowerCase();
}
