import { policyScheduler } from './policy-scheduler';

/** GR-STY (Nagayama et al., section V, strategy i), with networks for paths and chunks for packets. */
export const grSty = policyScheduler('gr-sty', 'sticky-greedy');

/** TP-STY, strategy ii. */
export const tpSty = policyScheduler('tp-sty', 'sticky-throughput');

/** TR-STY, strategy iii. */
export const trSty = policyScheduler('tr-sty', 'sticky-throughput-rtt');

/** The path use decision of MPTCP+ (section III-A): networks much slower than the fastest are left out. */
export const pathUseDecision = policyScheduler('path-use-decision', 'path-use-decision');
