import type { ExperimentClaim } from '../types';
import type { Cells, Trials } from './cells';
import { cellsOf, claim, comparer, perTrial, STICKY } from './comparer';
import { judgeLess, judgeMore } from './judge';
import { SENT_AGAIN, throughput, type NamedMeasure } from './measures';
import { controlNames, type StickyControl } from './set-up';

const RATE_UNIT = 'Mbit/s';
const DFT_PANEL = 'Fig. 6 a';
const STICKY_PANELS = 'Fig. 6 b, c, d';

/** VI-A, Fig. 6: a panel for each scheduler, DFT in a. */
export function baseThroughput(cells: Cells): ExperimentClaim[] {
  return [
    ...controlNames.flatMap((control) => flowClaims(cells, control)),
    ...especiallyCoupled(cells),
    ...retransmissions(cells),
  ];
}

/** The statements that the paper makes of each control. */
export function flowClaims(cells: Cells, control: StickyControl): ExperimentClaim[] {
  const beside = comparer(cells, ['base'], RATE_UNIT);
  const [flow1, flow3] = [throughput(0), throughput(2)];
  const dft = { scenario: 'base', control, scheduler: 'DFT' } as const;
  return [
    claim(
      DFT_PANEL,
      `Base, ${control}: DFT favours flow 1 over flow 3`,
      judgeMore({
        ours: cells.of(dft, flow1.of),
        reference: cells.of(dft, flow3.of),
        digits: flow1.digits,
        unit: RATE_UNIT,
      }),
    ),
    claim(
      STICKY_PANELS,
      `Base, ${control}: less over flow 1 with the sticky schedulers than with DFT`,
      judgeLess(beside(control, flow1, STICKY, ['DFT'])),
    ),
    claim(
      STICKY_PANELS,
      `Base, ${control}: more over flow 3 with the sticky schedulers than with DFT`,
      judgeMore(beside(control, flow3, STICKY, ['DFT'])),
    ),
  ];
}

/** "Especially for slow to react LIA and OLIA TCP variants." */
function especiallyCoupled(cells: Cells): ExperimentClaim[] {
  /** What the sticky schedulers carry beyond DFT, in Mbit/s. */
  const gain = (controls: readonly StickyControl[], { of }: NamedMeasure): Trials =>
    perTrial(
      cells.meanOf(cellsOf(['base'], controls, STICKY), of),
      cells.meanOf(cellsOf(['base'], controls, ['DFT']), of),
      (sticky, dft) => sticky - dft,
    );
  const loss = (controls: readonly StickyControl[], measure: NamedMeasure): Trials =>
    new Map([...gain(controls, measure)].map(([seed, value]) => [seed, -value]));
  return (
    [
      { what: 'taken from flow 1', shift: loss, measure: throughput(0) },
      { what: 'added to flow 3', shift: gain, measure: throughput(2) },
    ] as const
  ).map(({ what, shift, measure }) =>
    claim(
      STICKY_PANELS,
      `Base: more is ${what} by the sticky schedulers with LIA and OLIA than with Cubic and Compound`,
      judgeMore({
        ours: shift(['LIA', 'OLIA'], measure),
        reference: shift(['Cubic', 'Compound'], measure),
        digits: measure.digits,
        unit: RATE_UNIT,
      }),
    ),
  );
}

/** "This causes less overall retransmission (graphs omitted)." */
function retransmissions(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, ['base'], '% of the packets');
  return controlNames.map((control) =>
    claim(
      'VI-A',
      `Base, ${control}: less retransmission over all flows with the sticky schedulers than with DFT`,
      judgeLess(beside(control, SENT_AGAIN, STICKY, ['DFT'])),
    ),
  );
}
