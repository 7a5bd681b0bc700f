import { aqmExperiment } from './aqm/experiment';
import { ccExperiment } from './cc/experiment';
import { geneticExperiment } from './genetic/experiment';
import { mptcpPlusExperiment } from './mptcp-plus/experiment';
import { stickyExperiment } from './sticky/sticky-experiment';
import type { Experiment } from './types';

/** Every experiment that `multipath-dash experiment NAME` runs, in the order in which it lists them. */
export const experiments: readonly Experiment[] = [
  stickyExperiment,
  ccExperiment,
  aqmExperiment,
  mptcpPlusExperiment,
  geneticExperiment,
];
