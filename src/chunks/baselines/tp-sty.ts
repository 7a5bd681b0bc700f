import { policyScheduler } from './policy-scheduler';

/** TP-STY of sticky-path-switching, section V, strategy ii, with networks for paths and chunks for packets. */
export const tpSty = policyScheduler('tp-sty', 'sticky-throughput');
