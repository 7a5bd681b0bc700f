import { policyScheduler } from './policy-scheduler';

/** The path use decision of MPTCP+ (mptcp-plus, section III.A): networks much slower than the fastest are left out. */
export const pathUseDecision = policyScheduler('path-use-decision', 'path-use-decision');
