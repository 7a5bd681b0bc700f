import type { Experiment } from '../types';
import type { CcJob, CcOutcome } from './job';
import { planCc } from './plan';
import { PAPER, reportCc } from './report';
import { runCc } from './run';

/** LIA, OLIA, BALIA and wVegas above Reno, Cubic and BBR over two LTE-like paths (Table 3). */
export const ccExperiment: Experiment<CcJob, CcOutcome> = {
  name: 'cc',
  summary: 'coupled congestion controls above those of the paths, over two LTE-like paths',
  paper: PAPER,
  lasts: { quick: 'some seconds on two cores', whole: 'about ten minutes on two cores' },
  plan: planCc,
  run: runCc,
  report: reportCc,
};
