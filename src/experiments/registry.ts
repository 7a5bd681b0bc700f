import { aqmExperiment } from './aqm/experiment';
import { ccExperiment } from './cc/experiment';
import { geneticExperiment } from './genetic/experiment';
import { mptcpPlusExperiment } from './mptcp-plus/experiment';
import { stickyExperiment } from './sticky/sticky-experiment';
import { trainingExperiment, validationExperiment } from './validation/experiment';
import type { Experiment } from './types';

/** Every simulated experiment of `multipath-dash experiment NAME`, in listing order. */
export const experiments: readonly Experiment[] = [
  stickyExperiment,
  ccExperiment,
  aqmExperiment,
  mptcpPlusExperiment,
  geneticExperiment,
  trainingExperiment,
  validationExperiment,
];
