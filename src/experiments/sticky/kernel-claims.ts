import type { ExperimentClaim } from '../types';
import type { Cells, Trials } from './cells';
import { cellsOf, claim, comparer, parts, perTrial, STICKY, type Scenario } from './comparer';
import { flowClaims } from './flow-claims';
import { KERNEL_CONTROL, kernelCells, type StickyKernelResult } from './kernel-cells';
import { CARRIAGES, type KernelCarriage } from './kernel-job';
import { atLeast, CLEAR_PERCENT, judgeLess, judgeMore, judgeSimilar } from './judge';
import { SWITCHES, UNDERFLOWS, type NamedMeasure } from './measures';
import { schedulerNames } from './set-up';

const SCENARIOS: readonly Scenario[] = ['base', '3p-50', '3p-150'];
const CONTROL = KERNEL_CONTROL;

/** Over MPTCP the places and sentences are the simulated experiment's, so that its reasons can stand beside them. */
const placeOver = (carriage: KernelCarriage, place: string): string =>
  carriage === 'mptcp' ? place : `${place}, byte ranges`;

/**
 * The paper's statements about Cubic that sessions of a DASH player can be held against: underflows, throughput of the
 * flows, and over MPTCP the path switches of the rules. A stall is an underflow.
 */
export function stickyKernelClaims(results: readonly StickyKernelResult[]): ExperimentClaim[] {
  return CARRIAGES.flatMap((carriage) => {
    const cells = kernelCells(results, carriage);
    const all = [
      ...together(cells),
      ...base(cells),
      // Over byte ranges a rule chooses for each chunk, which the log does not count.
      ...(carriage === 'mptcp' ? switches(cells) : []),
      ...flowClaims(cells, CONTROL),
      ...losses(cells),
    ];
    return all.map((one) => ({ ...one, place: placeOver(carriage, one.place) }));
  });
}

/** Sections I and VII, over all scenarios. */
function together(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, SCENARIOS);
  return [
    claim(
      'Section I',
      `Mean of the scenarios, ${CONTROL}: fewer buffer underflows with the sticky schedulers than with DFT`,
      judgeLess(beside(CONTROL, UNDERFLOWS, STICKY, ['DFT'])),
    ),
    claim(
      'Section VII',
      `Mean of the scenarios, ${CONTROL}: fewer buffer underflows with one sticky scheduler at least than with DFT`,
      atLeast(
        1,
        parts(STICKY, (one) => judgeLess(beside(CONTROL, UNDERFLOWS, [one], ['DFT']))),
      ),
    ),
  ];
}

/** Fig. 4. */
function base(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, ['base']);
  return [
    ...(['GR-STY', 'TP-STY'] as const).map((scheduler) =>
      claim(
        'Fig. 4',
        `Base, ${CONTROL}: clearly fewer buffer underflows with ${scheduler} than with DFT`,
        judgeLess(beside(CONTROL, UNDERFLOWS, [scheduler], ['DFT'])),
      ),
    ),
    claim(
      'Fig. 4',
      `Base, ${CONTROL}: buffer underflows with TR-STY similar to DFT`,
      judgeSimilar(beside(CONTROL, UNDERFLOWS, ['TR-STY'], ['DFT'])),
    ),
  ];
}

/** A rule switches once or twice in a session, so each is an event of the film. */
const RULE_SWITCHES: NamedMeasure = { ...SWITCHES, digits: 1, isEvents: true };

/** Fig. 5, of the rules: the kernel's scheduler switches with every packet, which no log of a client shows. */
function switches(cells: Cells): ExperimentClaim[] {
  const beside = comparer(cells, ['base']);
  return [
    ...(['TP-STY', 'TR-STY'] as const).map((other) =>
      claim(
        'Fig. 5',
        `Base, ${CONTROL}: fewer path switches with GR-STY than with ${other}`,
        judgeLess(beside(CONTROL, RULE_SWITCHES, ['GR-STY'], [other])),
      ),
    ),
    claim(
      'Fig. 5',
      `Base, ${CONTROL}: more path switches with TR-STY than with TP-STY`,
      judgeMore(beside(CONTROL, RULE_SWITCHES, ['TR-STY'], ['TP-STY'])),
    ),
  ];
}

/** Figs. 7 and 8. */
function losses(cells: Cells): ExperimentClaim[] {
  const everything = (scenario: Scenario): Trials =>
    cells.meanOf(cellsOf([scenario], [CONTROL], schedulerNames), UNDERFLOWS.of);
  /** In % of DFT's underflows; trials without any of them are left out. */
  const saved = (some: readonly Scenario[]): Trials => {
    const savings = perTrial(
      cells.meanOf(cellsOf(some, [CONTROL], ['DFT']), UNDERFLOWS.of),
      cells.meanOf(cellsOf(some, [CONTROL], STICKY), UNDERFLOWS.of),
      (dft, sticky) => (100 * (dft - sticky)) / dft,
    );
    return new Map([...savings].filter(([, percent]) => Number.isFinite(percent)));
  };
  return [
    claim(
      'Fig. 7',
      `Loss on the shortest path, ${CONTROL}: more buffer underflows in 3p-50 than in base (mean of the schedulers)`,
      judgeMore({
        ours: everything('3p-50'),
        reference: everything('base'),
        digits: UNDERFLOWS.digits,
        isEvents: true,
      }),
    ),
    claim(
      'Fig. 7',
      `3p-50, ${CONTROL}: fewer buffer underflows with TR-STY than with DFT`,
      judgeLess(comparer(cells, ['3p-50'])(CONTROL, UNDERFLOWS, ['TR-STY'], ['DFT'])),
    ),
    claim(
      'Fig. 8',
      `${CONTROL}: the sticky schedulers save fewer buffer underflows in 3p-150 than in base and 3p-50`,
      judgeLess({
        ours: saved(['3p-150']),
        reference: saved(['base', '3p-50']),
        digits: UNDERFLOWS.digits,
        unit: "% of DFT's",
        margin: CLEAR_PERCENT,
      }),
    ),
  ];
}
