import { geneticPolicy } from './paper/genetic';
import { pathUseDecisionPolicy } from './paper/path-use-decision';
import type { Policy } from './policy';
import { singleBestPolicy } from './single-best';
import { stickyGreedyPolicy } from './paper/sticky-greedy';
import { stickyThroughputPolicy } from './paper/sticky-throughput';
import { stickyThroughputRttPolicy } from './paper/sticky-throughput-rtt';

/** Policies that most pages never use: the papers' and `single-best`. The SDK's build puts `optional-policies-on-demand` in the place of this module. */
export const optionalPolicies: readonly Policy[] = [
  singleBestPolicy,
  pathUseDecisionPolicy,
  stickyGreedyPolicy,
  stickyThroughputPolicy,
  stickyThroughputRttPolicy,
  geneticPolicy,
];

/** Loads the code of a policy where it comes on demand; here everything is loaded. */
export const loadPolicy: (name: string) => Promise<void> = () => Promise.resolve();
