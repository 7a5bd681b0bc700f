import { aqmExperiment } from './aqm/experiment';
import { aqmKernelExperiment } from './aqm/kernel';
import { ccExperiment } from './cc/experiment';
import { ccKernelExperiment } from './cc/kernel';
import { decisionsExperiment } from './decisions/experiment';
import { geneticExperiment } from './genetic/experiment';
import { geneticKernelExperiment } from './genetic/kernel';
import { mptcpPlusExperiment } from './mptcp-plus/experiment';
import { mptcpPlusKernelExperiment } from './mptcp-plus/kernel';
import { stickyKernelExperiment } from './sticky/kernel';
import { stickyExperiment } from './sticky/sticky-experiment';
import { trainingExperiment, validationExperiment } from './validation/experiment';
import type { Experiment } from './types';

/** Every experiment of `multipath-dash experiment NAME` with simulated jobs, in listing order. */
export const experiments: readonly Experiment[] = [
  stickyExperiment,
  ccExperiment,
  aqmExperiment,
  mptcpPlusExperiment,
  geneticExperiment,
  trainingExperiment,
  validationExperiment,
  decisionsExperiment,
];

/** Experiments that `--backend kernel` runs in the lab, by the name of the simulated one. */
export const kernelExperiments: Readonly<Record<string, Experiment>> = {
  aqm: aqmKernelExperiment,
  cc: ccKernelExperiment,
  genetic: geneticKernelExperiment,
  'mptcp-plus': mptcpPlusKernelExperiment,
  sticky: stickyKernelExperiment,
};
