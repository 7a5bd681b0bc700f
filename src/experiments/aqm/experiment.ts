import type { Experiment } from '../types';
import type { AqmJob, AqmOutcome } from './job';
import { planAqm } from './plan';
import { PAPER, reportAqm } from './report';
import { runAqm } from './run';

/** PIE and FQ-PIE at 5, 10 and 15 ms under DASH over MPTCP (Figs. 2 to 13), like the lab's experiment. */
export const aqmExperiment: Experiment<AqmJob, AqmOutcome> = {
  name: 'aqm',
  summary: 'PIE and FQ-PIE under DASH over MPTCP, beside downloads, calls and web pages',
  paper: PAPER,
  lasts: { quick: 'half a minute on two cores', whole: 'about 10 minutes on two cores' },
  plan: planAqm,
  run: runAqm,
  report: reportAqm,
};
