import { policyScheduler } from './policy-scheduler';

/** TR-STY of sticky-path-switching, section V, strategy iii, with networks for paths and chunks for packets. */
export const trSty = policyScheduler('tr-sty', 'sticky-throughput-rtt');
