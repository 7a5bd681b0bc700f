import { policyScheduler } from './policy-scheduler';

/** GR-STY of sticky-path-switching, section V, strategy i, with networks for paths and chunks for packets. */
export const grSty = policyScheduler('gr-sty', 'sticky-greedy');
