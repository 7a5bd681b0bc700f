import type { Experiment } from '../types';
import type { AqmJob, AqmOutcome } from './job';
import { planAqmKernel } from './plan';
import { PAPER, reportAqmKernel } from './report';

/** `experiment aqm --backend kernel`: the trials in the lab. */
export const aqmKernelExperiment: Experiment<AqmJob, AqmOutcome> = {
  name: 'aqm-kernel',
  summary: 'PIE and FQ-PIE under DASH over MPTCP, played in the lab',
  paper: PAPER,
  lasts: { quick: 'about six minutes', whole: 'about five hours' },
  plan: planAqmKernel,
  run: () => {
    throw new Error('the lab plays these trials');
  },
  report: reportAqmKernel,
};
